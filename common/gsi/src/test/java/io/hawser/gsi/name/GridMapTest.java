package io.hawser.gsi.name;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GridMapTest {
    private final List<String> problems = new ArrayList<>();

    private GridMap map(String... lines) {
        return GridMap.parse(List.of(lines), problems::add);
    }

    private static DistinguishedName name(String text) {
        return DistinguishedName.parse(text);
    }

    @Test
    void firstAccountIsTheDefaultAndOthersCanBeAskedFor() {
        GridMap map = map("\"/O=Test Grid/CN=Anna\" anna,guest,  third fourth");

        assertThat(map.account(name("/O=Test Grid/CN=Anna"), "")).contains("anna");
        assertThat(map.account(name("/O=Test Grid/CN=Anna"), "guest")).contains("guest");
        assertThat(map.accounts(name("/O=Test Grid/CN=Anna"))).containsExactly("anna", "guest", "third", "fourth");
        assertThat(map.account(name("/O=Test Grid/CN=Anna"), "root")).isEmpty();
        assertThat(map.account(name("/O=Test Grid/CN=Ben"), "")).isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void namesWithoutBlanksNeedNoQuotes() {
        assertThat(map("/O=Grid/CN=Anna anna").account(name("/O=Grid/CN=Anna"), ""))
                .contains("anna");
        assertThat(map("  /O=Grid/CN=Anna\tanna  ").account(name("/O=Grid/CN=Anna"), ""))
                .contains("anna");
    }

    @Test
    void escapesStandForCharactersAndBytes() {
        assertThat(map("/O=Test\\x20Grid/CN=Anna a").account(name("/O=Test Grid/CN=Anna"), ""))
                .contains("a");
        assertThat(map("\"/O=G/CN=\\\"Anna\\\"\" a").account(name("/O=G/CN=\"Anna\""), ""))
                .contains("a");
        assertThat(map("\"/O=G/CN=Zo\\xC3\\xab\" a").account(name("/O=G/CN=Zo\u00eb"), ""))
                .contains("a");
        assertThat(map("\"/O=G/CN=Zo\u00eb\" a").account(name("/O=G/CN=Zo\u00eb"), ""))
                .contains("a");
        assertThat(problems).isEmpty();
    }

    @Test
    void commentsAndEmptyLinesSayNothing() {
        GridMap map = map("# \"/CN=x\" y", "", "   ", "/CN=a b # c", "  # z");

        assertThat(map.size()).isEqualTo(1);
        assertThat(map.accounts(name("/CN=a"))).containsExactly("b");
    }

    @Test
    void firstLineOfANameCounts() {
        assertThat(map("/CN=a first", "/cn=A second").account(name("/CN=a"), ""))
                .contains("first");
    }

    @Test
    void linesThatCannotBeUsedAreToldAndLeftOut() {
        GridMap map = map("\"/CN=a b", "/CN=a", "\"/CN=a\"", "CN=a b", "/CN=p .pool", "\"/CN=a\\", "/CN=ok ok");

        assertThat(map.size()).isEqualTo(1);
        assertThat(problems).hasSize(6).first().asString().isEqualTo("line 1: the closing quote is missing");
    }
}
