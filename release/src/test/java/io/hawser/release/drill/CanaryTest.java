package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanaryTest {
    private static final int MIB = 1 << 20;

    private static byte[] content(Canary canary) throws IOException {
        return canary.content().readAllBytes();
    }

    private static String complaint(Canary canary, byte[] found) throws IOException {
        return canary.complaint(new ByteArrayInputStream(found));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 8, 9, 65_536, MIB - 1, MIB, MIB + 1, 2 * MIB})
    void whatIsWholeIsFoundToBeSo(long sizeBytes) throws IOException {
        Canary canary = new Canary("c", sizeBytes, 5, CanaryRoute.FTP);

        assertThat(content(canary)).hasSize((int) sizeBytes);
        assertThat(complaint(canary, content(canary))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999_999, MIB, MIB + 7, 2 * MIB + 2})
    void oneFlippedBitIsFound(int at) throws IOException {
        Canary canary = new Canary("c", 2 * MIB + 3, 5, CanaryRoute.FTP);
        byte[] found = content(canary);
        found[at] ^= 1;

        assertThat(complaint(canary, found)).isEqualTo("differs from what was sent, first at byte " + at);
    }

    @Test
    void whatIsShorterOrLongerIsFound() throws IOException {
        Canary canary = new Canary("c", MIB, 5, CanaryRoute.FTP);
        byte[] content = content(canary);

        assertThat(complaint(canary, Arrays.copyOf(content, MIB - 1)))
                .isEqualTo("has 1048575 bytes instead of 1048576, and differs first at byte 1048575");
        assertThat(complaint(canary, Arrays.copyOf(content, MIB + 9)))
                .isEqualTo("has 1048585 bytes instead of 1048576, and differs first at byte 1048576");
        assertThat(complaint(canary, new byte[0])).contains("has 0 bytes");
    }

    @Test
    void anotherCanarysContentIsNotTakenForItsOwn() throws IOException {
        assertThat(complaint(
                        new Canary("a", 4096, 1, CanaryRoute.FTP), content(new Canary("b", 4096, 2, CanaryRoute.FTP))))
                .isNotEmpty();
    }

    @Test
    void namesAreOneDrillsOwnAndSizesAreMixed() {
        CanaryGenerator names = new CanaryGenerator(3, MIB);
        Set<String> seen = new HashSet<>();
        int empty = 0;
        int small = 0;
        for (int i = 0; i < 500; i++) {
            Canary canary = names.next(i % 2 == 0 ? CanaryRoute.FTP : CanaryRoute.API);
            assertThat(canary.name()).startsWith(CanaryGenerator.PREFIX).startsWith(names.prefix());
            assertThat(canary.sizeBytes()).isBetween(0L, (long) MIB);
            assertThat(i > 0 || canary.sizeBytes() == MIB)
                    .as("the first is the largest")
                    .isTrue();
            seen.add(canary.name());
            empty += canary.sizeBytes() == 0 ? 1 : 0;
            small += canary.sizeBytes() <= 65_536 ? 1 : 0;
        }

        assertThat(seen).hasSize(500);
        assertThat(empty).isBetween(1, 100);
        assertThat(small).isBetween(100, 450);
        assertThat(new CanaryGenerator(3, 0).next(CanaryRoute.FTP).sizeBytes()).isZero();
    }
}
