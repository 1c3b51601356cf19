package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.http.TestRequests;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What DashboardTest cannot send: requests with a certificate, over TLS, or to several hosts. */
class WebPageGuardTest {
    private static final Map<String, List<String>> OWN = Map.of(
            "Host",
            List.of("Broker.Example:7480"),
            "Origin",
            List.of("https://broker.example:7480"),
            "Sec-Fetch-Site",
            List.of("same-origin"),
            WebPageGuard.ACTION_HEADER,
            List.of("page"));

    private static boolean isAllowed(boolean isSecure, Credential by, Map<String, List<String>> headers)
            throws Exception {
        return WebPageGuard.refusal(TestRequests.post(isSecure, headers), by).isEmpty();
    }

    private static Map<String, List<String>> with(String name, String... values) {
        Map<String, List<String>> headers = new HashMap<>(OWN);
        headers.put(name, List.of(values));
        return headers;
    }

    private static Map<String, List<String>> without(String name) {
        Map<String, List<String>> headers = new HashMap<>(OWN);
        headers.remove(name);
        return headers;
    }

    @Test
    void certificateNeedsBothHeadersThatOnlyTheOwnPageCanSet() throws Exception {
        assertThat(isAllowed(true, Credential.CERTIFICATE, OWN)).isTrue();
        assertThat(isAllowed(true, Credential.CERTIFICATE, without("Sec-Fetch-Site")))
                .isFalse();
        assertThat(isAllowed(true, Credential.CERTIFICATE, without(WebPageGuard.ACTION_HEADER)))
                .isFalse();
        assertThat(isAllowed(true, Credential.CERTIFICATE, with("Origin", "https://evil.example")))
                .isFalse();
        assertThat(isAllowed(true, Credential.CERTIFICATE, with("Sec-Fetch-Site", "same-site")))
                .isFalse();
    }

    @Test
    void originMustBeOfTheSameScheme() throws Exception {
        Map<String, List<String>> plain = with("Origin", "http://broker.example:7480");

        assertThat(isAllowed(true, Credential.TOKEN, OWN)).isTrue();
        assertThat(isAllowed(true, Credential.TOKEN, plain)).isFalse();
        assertThat(isAllowed(false, Credential.TOKEN, plain)).isTrue();
        assertThat(isAllowed(false, Credential.TOKEN, OWN))
                .as("a proxy ends the TLS")
                .isTrue();
    }

    @Test
    void requestForNoHostOrTwoHasNoOwnOrigin() throws Exception {
        assertThat(isAllowed(true, Credential.TOKEN, without("Host"))).isFalse();
        assertThat(isAllowed(true, Credential.TOKEN, with("Host", "broker.example:7480", "evil.example")))
                .isFalse();
    }

    @Test
    void programWithACertificateSendsNoneOfTheseHeaders() throws Exception {
        assertThat(isAllowed(true, Credential.CERTIFICATE, Map.of("Host", List.of("broker.example:7480"))))
                .isTrue();
    }
}
