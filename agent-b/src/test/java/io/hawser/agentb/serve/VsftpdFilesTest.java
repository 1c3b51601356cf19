package io.hawser.agentb.serve;

import io.hawser.common.testkit.FarServerProcess;
import java.nio.file.Path;

/** Reading from a real vsftpd, which has no MLSD and computes nothing. */
class VsftpdFilesTest extends FarFilesContract {
    @Override
    FarServerProcess startServer(Path in) throws Exception {
        return FarServerProcess.vsftpd(in);
    }

    @Override
    String url() {
        return "ftp://127.0.0.1:" + server.port() + "/in";
    }

    @Override
    boolean listsSeconds() {
        return false;
    }
}
