package io.hawser.agentb.deliver.ftp;

import io.hawser.core.testkit.FarServerProcess;
import java.nio.file.Path;

/** Delivery to a real pyftpdlib, which computes checksums here. */
class PyftpdlibTest extends PatchContract {
    @Override
    protected FarServerProcess startServer(Path in) throws Exception {
        return FarServerProcess.pyftpdlib(in, 60_000_000);
    }

    @Override
    protected String url() {
        return "ftp://127.0.0.1:" + server.port() + "//in/";
    }

    @Override
    boolean computesChecksums() {
        return true;
    }
}
