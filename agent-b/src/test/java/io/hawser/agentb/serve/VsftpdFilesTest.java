package io.hawser.agentb.serve;

import io.hawser.core.testkit.FarServerProcess;
import java.nio.file.Path;

/** Reading from a real vsftpd, which has no MLSD and computes nothing. */
class VsftpdFilesTest extends FarFilesContract {
    @Override
    protected FarServerProcess startServer(Path in) throws Exception {
        return FarServerProcess.vsftpd(in);
    }

    @Override
    boolean listsSeconds() {
        return false;
    }
}
