package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TargetNameTest {
    private static String[] badNames() {
        return new String[] {
            "",
            "/",
            "/etc/passwd",
            "..",
            "../x",
            "a/../../x",
            "a/..",
            ".",
            "./a",
            "a/./b",
            "a//b",
            "a/",
            "a\0b",
            "a\ud800b",
            "x".repeat(256),
            "\u00e4".repeat(128),
            "d/" + "x".repeat(256),
            ".hawser-landing-site-b",
            ".hawser-landing-other/files/x"
        };
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void aNameThatCouldLeaveTheTargetOrCannotExistIsRefusedWithASentence(String name) {
        Outcome<TargetName> outcome = TargetName.parse(name);

        assertThat(outcome.isRefused()).isTrue();
        assertThat(outcome.refusal()).satisfies(refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_NAME);
            assertThat(refusal.detail()).startsWith("The name \"").endsWith(".").doesNotContain("\0");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a b/c d",
                " ",
                "-rf",
                "...",
                "..a",
                "a..",
                "Gr\u00fc\u00dfe/\u6587\u4ef6/\ud83d\ude80.txt",
                "line\nbreak",
                "back\\slash",
                "star*?",
                "hawser-landing-x",
                "a/.hawser-landing-x"
            })
    void anOddButLegalNameKeepsItsSegments(String name) {
        TargetName parsed = TargetName.parse(name).get();

        assertThat(String.join("/", parsed.segments())).isEqualTo(name);
        assertThat(parsed.below(Path.of("/root"))).isEqualTo(Path.of("/root", name));
    }

    @Test
    void aSegmentMayHave255Bytes() {
        assertThat(TargetName.parse("x".repeat(255)).isRefused()).isFalse();
        assertThat(TargetName.parse("\u00e4".repeat(127) + "x").isRefused()).isFalse();
    }

    @Test
    void aPathThatTheSystemCannotTakeIsRefused() {
        String long4000 = ("x".repeat(199) + "/").repeat(20) + "y";

        assertThat(TargetName.parseBelow(Path.of("/short"), long4000).isRefused())
                .isFalse();
        assertThat(TargetName.parseBelow(Path.of("/" + "r".repeat(100)), long4000)
                        .isRefused())
                .isTrue();
    }
}
