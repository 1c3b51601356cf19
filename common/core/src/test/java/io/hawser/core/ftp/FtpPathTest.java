package io.hawser.core.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FtpPathTest {
    private static String resolve(String from, String name) throws Exception {
        return FtpPath.ROOT.resolve(from).resolve(name).toString();
    }

    @Test
    void namesAreRelativeOrAbsolute() throws Exception {
        assertThat(resolve("/a", "b/c")).isEqualTo("/a/b/c");
        assertThat(resolve("/a", "/b")).isEqualTo("/b");
        assertThat(resolve("/a", "-dash and space")).isEqualTo("/a/-dash and space");
    }

    @Test
    void dotsAndDoubleSlashesAreNormalisedAndNothingLeavesTheRoot() throws Exception {
        assertThat(resolve("/a/b", "../c")).isEqualTo("/a/c");
        assertThat(resolve("/a", "../../../etc/passwd")).isEqualTo("/etc/passwd");
        assertThat(resolve("/a", ".//./b//")).isEqualTo("/a/b");
        assertThat(resolve("/a", "...")).isEqualTo("/a/...");
    }

    @Test
    void namesOf255BytesAreTheLongest() throws Exception {
        String longest = "\u00fc".repeat(127) + "x";

        assertThat(resolve("/", longest)).hasSize(129);
        assertThatThrownBy(() -> resolve("/", longest + "x")).hasMessage("File name too long");
    }

    @Test
    void wholePathIsBounded() {
        assertThatThrownBy(() -> resolve("/", ("d".repeat(200) + "/").repeat(21)))
                .hasMessage("File name too long");
    }

    @Test
    void nulCrAndLfAreRefused() {
        for (String name : new String[] {"a\0b", "a\rb", "a\nb"}) {
            assertThatThrownBy(() -> resolve("/", name)).hasMessageContaining("NUL, CR or LF");
        }
    }

    @Test
    void rootOfAnAccountCanNeitherBeLeftNorSeen() throws Exception {
        FtpPath root = FtpPath.ROOT.resolve("/site-b/anna").asRoot();

        assertThat(root).hasToString("/");
        assertThat(root.isRoot()).isTrue();
        assertThat(root.parent()).isEqualTo(root);
        FtpPath file = root.resolve("../../x/../../in/f");
        assertThat(file).hasToString("/in/f").isEqualTo(FtpPath.ROOT.resolve("/site-b/anna/in/f"));
        assertThat(file.resolve("/g")).isEqualTo(FtpPath.ROOT.resolve("/site-b/anna/g"));
        assertThat(file.parent()).hasToString("/in");
    }

    @Test
    void rootIsItsOwnParent() throws Exception {
        assertThat(FtpPath.ROOT.parent()).isEqualTo(FtpPath.ROOT);
        assertThat(FtpPath.ROOT.resolve("a/b").parent()).hasToString("/a");
        assertThat(FtpPath.ROOT.resolve("a/b").name()).isEqualTo("b");
        assertThat(FtpPath.ROOT).hasToString("/");
    }
}
