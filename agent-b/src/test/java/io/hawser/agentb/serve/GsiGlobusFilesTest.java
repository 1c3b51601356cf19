package io.hawser.agentb.serve;

import io.hawser.agentb.GridSite;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.core.testkit.FarServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Reading from a globus-gridftp-server that is logged in to by GSI; the connections that it dials are authenticated. */
class GsiGlobusFilesTest extends GlobusFilesTest {
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
    FarOptions adapted(FarOptions usual) {
        return usual.withGrid(site.login());
    }
}
