package io.hawser.agenta.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.core.model.Topic;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions about the names of uploads. */
final class ObstacleSearchTest extends OnUsualFtpServer {

    @BeforeEach
    void prepare() throws Exception {
        ftp.remote.connect();
    }

    @Test
    void manyUploadsAskForTheirNamesOnlySoOften() throws Exception {
        ObstacleSearch search = new ObstacleSearch(
                ftp.spool.store,
                new PendingNames(new Namespace(null), ftp.spool.store),
                ftp.remote,
                ftp.loop(),
                () -> 0);
        AtomicInteger answers = new AtomicInteger();
        int before = ftp.remote.stats.get();
        for (int i = 0; i < 2 * ObstacleSearch.TARGETS_A_SECOND; i++) {
            Namespace.Place place = new Namespace.Place(new Topic("site-b"), "new" + i);
            ftp.loop().execute(() -> search.at(place, unused -> answers.incrementAndGet()));
        }
        await().until(() -> answers.get() == 2 * ObstacleSearch.TARGETS_A_SECOND);
        assertThat(ftp.remote.stats.get() - before).isEqualTo(ObstacleSearch.TARGETS_A_SECOND);
    }
}
