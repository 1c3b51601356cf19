package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What an HTTP proxy answers to CONNECT: a status or none, and challenges that are answered or refused with a sentence. */
class ProxyFuzzTest {
    private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("proxy.invalid", 3128);
    private static final String TARGET = "broker.invalid:7400";

    /** All that a proxy says, byte by byte. */
    @FuzzTest(maxDuration = "2m")
    void answer(byte[] data) {
        ProxyAnswer answer = new ProxyAnswer();
        int taken = 0;
        boolean over = false;
        while (!over && taken < data.length) {
            over = answer.add(data[taken++]);
        }
        assertThat(taken).isLessThanOrEqualTo(ProxyAnswer.LIMIT_BYTES + 1);
        if (!over) {
            return;
        }
        assertThat(answer.status())
                .satisfiesAnyOf(status -> assertThat(status).isEqualTo(ProxyAnswer.NONE), status -> assertThat(status)
                        .isBetween(100, 599));
        assertThat(answer.firstLine()).matches("[ -~]*");
        assertThat(answer.challenges()).allSatisfy(value -> assertThat(value).doesNotContain("\r\n"));
        answered(answer.challenges());
    }

    /** Values of Proxy-Authenticate, one for each line. */
    @FuzzTest(maxDuration = "2m")
    void challenges(byte[] data) {
        answered(List.of(new String(data, ProxyAnswer.BYTES).split("\r\n")));
    }

    /** Asked twice: what is answered goes on one line, and is what HTTP calls credentials. */
    private static void answered(List<String> offers) {
        HttpProxy proxy = new HttpProxy(ADDRESS, "M\u00fcfasa", "Circle of \"Life\"\\");
        for (boolean again : new boolean[] {false, true}) {
            String hopeless = proxy.challenged(offers, again);
            assertThat(hopeless == null || !hopeless.isBlank()).isTrue();
            String shown = proxy.authorization(TARGET);
            if (shown == null) {
                assertThat(hopeless).isNotNull();
                continue;
            }
            assertThat(shown)
                    .doesNotContainPattern("[\\x00-\\x08\\x0a-\\x1f\\x7f]")
                    .doesNotContain("Circle");
            if (shown.startsWith("Digest ")) {
                assertThat(shown)
                        .containsPattern("response=\"([0-9a-f]{32}|[0-9a-f]{64})\", algorithm=(?i:MD5|SHA-256)");
            } else {
                assertThat(shown).matches("Basic [A-Za-z0-9+/=]+");
            }
            String name = new String("M\u00fcfasa".getBytes(StandardCharsets.UTF_8), ProxyAnswer.BYTES);
            assertThat(shown.startsWith("Basic") || shown.contains(name)).isTrue();
        }
    }
}
