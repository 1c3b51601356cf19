package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.GridSite;
import io.hawser.core.testkit.FarServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** All that holds of a globus-gridftp-server holds of one that is logged in to by GSI. */
class GsiGlobusTest extends GlobusTest {
    @TempDir
    static Path grid;

    private static GridSite site;

    @BeforeAll
    static void grid() throws Exception {
        site = new GridSite(grid);
    }

    @Override
    protected FarServerProcess startServer(Path in) throws Exception {
        return site.server(in);
    }

    @Override
    boolean keepsNames() {
        return true;
    }

    @Override
    TargetRig makeRig() throws Exception {
        return new TargetRig(directory.resolve("landing"), url(), site.options(), SlowReads.of(5));
    }
}
