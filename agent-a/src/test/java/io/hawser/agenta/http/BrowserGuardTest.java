package io.hawser.agenta.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrowserGuardTest {
    private static final String HOST = "files.example:8443";

    @Test
    void pagesOfOtherSitesChangeNothing() {
        assertThat(refusal("PUT", "Origin", "https://evil.example")).isTrue();
        assertThat(refusal("DELETE", "Origin", "null")).isTrue();
        assertThat(refusal("MKCOL", "Sec-Fetch-Site", "cross-site")).isTrue();
        assertThat(refusal("PUT", "Sec-Fetch-Site", "same-site")).isTrue();
    }

    @Test
    void programsAndPagesFromHereMay() {
        assertThat(refusal("PUT", "Origin", "https://" + HOST)).isFalse();
        assertThat(refusal("PUT", "Sec-Fetch-Site", "same-origin")).isFalse();
        assertThat(refusal("PUT", "Sec-Fetch-Site", "none")).isFalse();
        assertThat(refusal("PUT", "Accept", "*/*")).isFalse();
        assertThat(refusal("GET", "Origin", "https://evil.example")).isFalse();
    }

    /** A page of a site whose name leads to 127.0.0.1 is of the same origin as that server. */
    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "[evil", "[::1].evil"})
    void serverThatIsOpenOnLoopbackHasNoOtherName(String host) {
        assertThat(BrowserGuard.refusal(HttpHeads.of("GET", "Host", host), true))
                .isPresent();
        assertThat(BrowserGuard.refusal(HttpHeads.of("GET", "Host", host), false))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:8080", "localhost:80", "[::1]:8080", "[::1]"})
    void addressesOfThisMachineAreItsNames(String host) {
        assertThat(BrowserGuard.refusal(HttpHeads.of("GET", "Host", host), true))
                .isEmpty();
    }

    private static boolean refusal(String method, String name, String value) {
        return BrowserGuard.refusal(HttpHeads.of(method, "Host", HOST, name, value), false)
                .isPresent();
    }
}
