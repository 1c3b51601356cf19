package io.hawser.agentb.serve;

import io.hawser.core.testkit.FarServerProcess;
import java.nio.file.Path;

/** Reading from a real pyftpdlib, which has MLSD and XSHA256 here. */
class PyftpdlibFilesTest extends FarFilesContract {
    @Override
    protected FarServerProcess startServer(Path in) throws Exception {
        return FarServerProcess.pyftpdlib(in, 0);
    }

    @Override
    protected String url() {
        return "ftp://127.0.0.1:" + server.port() + "//in/";
    }
}
