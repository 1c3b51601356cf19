package io.hawser.gsi.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SigningPolicyTest {
    private static final DistinguishedName CA = DistinguishedName.parse("/C=US/CN=CA");

    private static boolean allows(String subject, String... lines) throws GsiException {
        return SigningPolicy.parse(List.of(lines)).allows(CA, DistinguishedName.parse(subject));
    }

    @Test
    void subjectsThatFitOneOfThePatternsAreAllowed() throws Exception {
        String[] lines = {
            "# comment",
            "",
            "access_id_CA\tX509 '/C=US/CN=CA'",
            "pos_rights globus CA:sign # this one",
            "cond_subjects globus '\"/C=US/O=a/*\" \"/C=US/O=b/*\"'"
        };

        assertThat(allows("/C=us/O=a/CN=x", lines)).isTrue();
        assertThat(allows("/C=US/O=b/CN=x", lines)).isTrue();
        assertThat(allows("/C=US/O=c/CN=x", lines)).isFalse();
    }

    @Test
    void patternMayStandWithoutQuotesOfItsOwn() throws Exception {
        String access = "access_id_CA X509 '/C=US/CN=CA'";

        assertThat(allows("/O=a/CN=x", access, "pos_rights globus CA:sign", "cond_subjects globus '/O=a/*'"))
                .isTrue();
        assertThat(allows("/O=a/CN=x", access, "pos_rights globus CA:sign", "cond_subjects globus \"*\""))
                .isTrue();
    }

    @Test
    void anotherAuthoritysPatternsSayNothing() throws Exception {
        assertThat(allows(
                        "/O=a/CN=x",
                        "access_id_CA X509 '/CN=other'",
                        "pos_rights globus CA:sign",
                        "cond_subjects globus '\"*\"'"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "neg_rights globus CA:sign",
                "cond_subjects globus '\"*\"'",
                "access_id_ANYBODY X509 '*'",
                "pos_rights globus",
                "access_id_CA X509 'CA'"
            })
    void whatIsNotUnderstoodMakesTheFileUseless(String line) {
        assertThatThrownBy(() -> SigningPolicy.parse(List.of("access_id_CA X509 '/C=US/CN=CA'", line)))
                .isInstanceOf(GsiException.class)
                .hasMessageStartingWith("line 2 ");
    }
}
