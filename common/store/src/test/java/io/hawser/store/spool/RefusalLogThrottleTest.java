package io.hawser.store.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusalLogThrottleTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final RefusalLogThrottle news = new RefusalLogThrottle();
    private final TransferKey a = key(1);
    private final TransferKey b = key(2);

    private static TransferKey key(long number) {
        return new TransferKey(new NodeId(1, 1), new TransferId(1, number));
    }

    @Test
    void theSameAgainIsNoNews() {
        int said = 0;
        for (int second = 0; second < 599; second += 2) {
            said += news.isNews(a, ErrorCode.NO_SPACE, second * SECOND) ? 1 : 0;
        }
        assertThat(said).isEqualTo(1);
        assertThat(news.isNews(a, ErrorCode.NO_SPACE, 600 * SECOND)).isTrue();
        assertThat(news.isNews(b, ErrorCode.NO_SPACE, 600 * SECOND)).isTrue();
    }

    @Test
    void anotherReasonIsNews() {
        assertThat(news.isNews(a, ErrorCode.NO_SPACE, 0)).isTrue();
        assertThat(news.isNews(a, ErrorCode.STOPPING, SECOND)).isTrue();
    }

    @Test
    void itsEndIsSaidOnceAndOnlyIfItsBeginningWas() {
        assertThat(news.goesOn(a)).isFalse();
        assertThat(news.isNews(a, ErrorCode.NO_SPACE, 0)).isTrue();
        assertThat(news.goesOn(a)).isTrue();
        assertThat(news.goesOn(a)).isFalse();
        assertThat(news.isNews(a, ErrorCode.NO_SPACE, SECOND)).isFalse();
        assertThat(news.goesOn(a)).isFalse();
    }

    @Test
    void whatIsForgottenBeginsAnew() {
        assertThat(news.isNews(a, ErrorCode.NO_SPACE, 0)).isTrue();
        news.forget(a);
        assertThat(news.goesOn(a)).isFalse();
        assertThat(news.isNews(a, ErrorCode.NO_SPACE, SECOND)).isTrue();
    }
}
