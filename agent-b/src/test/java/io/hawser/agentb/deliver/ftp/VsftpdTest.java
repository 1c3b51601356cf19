package io.hawser.agentb.deliver.ftp;

import io.hawser.core.testkit.FarServerProcess;
import java.nio.file.Path;

/** Delivery to a real vsftpd. */
class VsftpdTest extends PatchContract {
    @Override
    protected FarServerProcess startServer(Path in) throws Exception {
        return FarServerProcess.vsftpd(in, "anon_max_rate=100000000");
    }

    @Override
    boolean setsModes() {
        return false;
    }
}
