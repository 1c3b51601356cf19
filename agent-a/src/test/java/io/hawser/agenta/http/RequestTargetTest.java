package io.hawser.agenta.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.agenta.http.RequestTarget.MalformedTargetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {
    @ParameterizedTest
    @CsvSource({
        "/a/b, /a/b",
        "/a%20b+c, /a b+c",
        "/%C3%A4, /ä",
        "/a%3Fb, /a?b",
        "/a?b=c, /a",
        "http://host:1/x, /x",
        "HTTPS://host, /",
        "/%2E%2e/x, /../x"
    })
    void namesAPath(String target, String path) throws MalformedTargetException {
        assertThat(RequestTarget.parse(target).path()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "*", "a", "/%", "/%2", "/%zz", "/a%2Fb", "/a%2fb", "/a%00", "/a#b", "ftp://host/x", "?/a"})
    void anythingElseIsRefused(String target) {
        assertThatThrownBy(() -> RequestTarget.parse(target)).isInstanceOf(MalformedTargetException.class);
    }

    @Test
    void queryIsSeen() throws MalformedTargetException {
        assertThat(RequestTarget.parse("/a?").hasQuery()).isTrue();
        assertThat(RequestTarget.parse("/a%3F").hasQuery()).isFalse();
    }

    /** A name that is no UTF-8 comes back as its bytes. */
    @Test
    void everyNameSurvivesALink() throws MalformedTargetException {
        for (String name : new String[] {"a b", "ä:?#%&\"'<>", "\uF7FFx", "..x", "~a_b-c.d"}) {
            assertThat(RequestTarget.parse("/" + RequestTarget.encodeSegment(name))
                            .path())
                    .isEqualTo("/" + name);
        }
        assertThat(RequestTarget.encodeSegment("a:b/\uF7FF")).isEqualTo("a%3Ab%2F%FF");
    }
}
