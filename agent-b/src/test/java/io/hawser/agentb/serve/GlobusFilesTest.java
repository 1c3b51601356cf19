package io.hawser.agentb.serve;

import io.hawser.common.testkit.FarServerProcess;
import java.nio.file.Path;

/** Reading from a real globus-gridftp-server, which has MLSD and CKSM. */
class GlobusFilesTest extends FarFilesContract {
    @Override
    FarServerProcess startServer(Path in) throws Exception {
        return FarServerProcess.globus(in);
    }

    @Override
    String url() {
        return "gridftp://127.0.0.1:" + server.port() + server.root() + "/in";
    }

    @Override
    String oddName() {
        return "-d [x] y.bin"; // it drops what is not ASCII
    }
}
