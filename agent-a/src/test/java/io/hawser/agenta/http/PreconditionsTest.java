package io.hawser.agenta.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.http.Preconditions.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreconditionsTest {
    private static final long MODIFIED_MILLIS = 1_700_000_000_500L;
    private static final String DATE = HttpDates.write(MODIFIED_MILLIS);
    private static final String EARLIER = HttpDates.write(MODIFIED_MILLIS - 1000);
    private static final long LATER_MILLIS = MODIFIED_MILLIS + 1_000_000;
    private static final EntityTag TAG = new EntityTag("abc", false);
    private static final EntityTag WEAK = new EntityTag("abc", true);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "If-None-Match | \"abc\" | NOT_MODIFIED",
                "If-None-Match | \"x\", W/\"abc\" | NOT_MODIFIED",
                "If-None-Match | * | NOT_MODIFIED",
                "If-None-Match | \"x\" | PROCEED",
                "If-Match | \"abc\" | PROCEED",
                "If-Match | * | PROCEED",
                "If-Match | W/\"abc\" | FAILED",
                "If-Match | \"x\" | FAILED",
                "If-Modified-Since | yesterday | PROCEED"
            })
    void tagsDecide(String name, String value, Verdict verdict) {
        assertThat(of(TAG, name, value).forReading()).isEqualTo(verdict);
    }

    @Test
    void datesDecideWhereNoTagIsGiven() {
        assertThat(of(TAG, "If-Modified-Since", DATE).forReading()).isEqualTo(Verdict.NOT_MODIFIED);
        assertThat(of(TAG, "If-Modified-Since", EARLIER).forReading()).isEqualTo(Verdict.PROCEED);
        assertThat(of(TAG, "If-Unmodified-Since", DATE).forReading()).isEqualTo(Verdict.PROCEED);
        assertThat(of(TAG, "If-Unmodified-Since", EARLIER).forReading()).isEqualTo(Verdict.FAILED);
        assertThat(of(TAG, "If-None-Match", "\"x\"", "If-Modified-Since", DATE).forReading())
                .isEqualTo(Verdict.PROCEED);
    }

    @Test
    void rangesNeedTheSameVersion() {
        assertThat(of(TAG).allowsRange()).isTrue();
        assertThat(of(TAG, "If-Range", "\"abc\"").allowsRange()).isTrue();
        assertThat(of(TAG, "If-Range", "\"x\"").allowsRange()).isFalse();
        assertThat(of(TAG, "If-Range", DATE).allowsRange()).isTrue();
        assertThat(of(TAG, "If-Range", EARLIER).allowsRange()).isFalse();
        assertThat(of(WEAK, "If-Range", "W/\"abc\"").allowsRange()).isFalse();
        assertThat(of(WEAK, "If-Range", "\"abc\"").allowsRange()).isFalse();
    }

    @Test
    void aTimeOfJustNowDoesNotAllowARange() {
        Preconditions young =
                new Preconditions(HttpHeads.of("GET", "If-Range", DATE), TAG, MODIFIED_MILLIS, MODIFIED_MILLIS + 5_000);

        assertThat(young.allowsRange()).isFalse();
    }

    @Test
    void aNewFileMustNotMatchAnything() {
        assertThat(of(TAG, "If-None-Match", "*").mustNotMatch()).isTrue();
        assertThat(of(TAG, "If-None-Match", "\"abc\"").mustNotMatch()).isTrue();
        assertThat(of(TAG, "If-None-Match", "\"x\"").mustNotMatch()).isFalse();
        assertThat(of(TAG).mustNotMatch()).isFalse();
    }

    /** A server without times has the same fingerprint for different bytes of one length. */
    @Test
    void tagOfAFileWithoutTimesIsWeak() {
        assertThat(EntityTag.of("whole:123").weak()).isTrue();
        assertThat(EntityTag.of("123-456").weak()).isFalse();
        assertThat(EntityTag.of("123-456")).isNotEqualTo(EntityTag.of("123-457"));
    }

    private static Preconditions of(EntityTag tag, String... headers) {
        return new Preconditions(HttpHeads.of("GET", headers), tag, MODIFIED_MILLIS, LATER_MILLIS);
    }
}
