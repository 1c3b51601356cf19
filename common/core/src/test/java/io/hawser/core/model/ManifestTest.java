package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManifestTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private static Manifest manifest(
            long number, String name, long size, int fragmentSize, Map<String, String> attributes) {
        return new Manifest(
                KEY, number, new Topic("t"), TransferKind.FILE, name, List.of(name), size, fragmentSize, attributes);
    }

    @Test
    void fragmentsCoverTheObjectExactly() {
        int fragment = 16;
        for (long size = 0; size < 100; size++) {
            long count = Manifest.fragmentCount(size, fragment);
            long sum = 0;
            for (long index = 0; index < count; index++) {
                int length = Manifest.fragmentLength(index, size, fragment);
                assertThat(length).isBetween(1, fragment);
                assertThat(length == fragment || index == count - 1).isTrue();
                sum += length;
            }
            assertThat(sum).isEqualTo(size);
        }
    }

    private static Manifest at(long publisher, String... paths) {
        return on("t", publisher, paths);
    }

    private static Manifest on(String topic, long publisher, String... paths) {
        return new Manifest(
                new TransferKey(new NodeId(1, publisher), new TransferId(3, 4)),
                1,
                new Topic(topic),
                TransferKind.FILE,
                "n",
                List.of(paths),
                0,
                16,
                Map.of());
    }

    @Test
    void equalAndContainingPathsOfOnePublisherAreShared() {
        Manifest file = at(1, "a/b", "c");
        for (Manifest other : List.of(at(1, "a/b"), at(1, "x", "c"), at(1, "a"), at(1, "a/b/d"))) {
            assertThat(file.sharesPathWith(other)).isTrue();
            assertThat(other.sharesPathWith(file)).isTrue();
        }
        for (Manifest other : List.of(at(2, "a/b"), on("u", 1, "a/b"), at(1, "a/bc"), at(1, "a/c"), at(1))) {
            assertThat(file.sharesPathWith(other)).isFalse();
            assertThat(other.sharesPathWith(file)).isFalse();
        }
    }

    @Test
    void limitsAreChecked() {
        assertThat(manifest(1, "n", Manifest.UNKNOWN_SIZE, 16, Map.of()).sizeKnown())
                .isFalse();
        assertThat(manifest(1, "n", 0, 64 << 20, Map.of()).sizeKnown()).isTrue();
        assertThatThrownBy(() -> manifest(0, "n", 0, 16, Map.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> manifest(1, "n", -2, 16, Map.of())).isInstanceOf(IllegalArgumentException.class);
        for (int size : new int[] {0, 8, 17, 24, 128 << 20, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> manifest(1, "n", 0, size, Map.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("power of two");
        }
        assertThatThrownBy(() -> manifest(1, "ü".repeat(2049), 0, 16, Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i <= Manifest.MAX_ATTRIBUTES; i++) {
            many.put("x-" + i, "");
        }
        assertThatThrownBy(() -> manifest(1, "n", 0, 16, many)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> manifest(1, "n", 0, 16, Map.of("x", "v".repeat(Manifest.MAX_WEIGHT_BYTES))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** What a record could not be read back with must not be written. */
    @Test
    void moreThanAReaderTakesCannotBeMade() {
        assertThat(withPaths(List.of("a", "b", "c", "d")).paths()).hasSize(Manifest.MAX_PATHS);
        assertThatThrownBy(() -> withPaths(List.of("a", "b", "c", "d", "e")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("paths");
        assertThatThrownBy(() -> withPaths(List.of("p".repeat(Manifest.MAX_NAME_LENGTH_BYTES + 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("path");
        List<Extension> extensions = Collections.nCopies(Manifest.MAX_EXTENSIONS, new Extension(9, false, new byte[0]));
        assertThat(withExtensions(extensions).extensions()).hasSize(Manifest.MAX_EXTENSIONS);
        List<Extension> oneMore = new ArrayList<>(extensions);
        oneMore.add(new Extension(9, false, new byte[0]));
        assertThatThrownBy(() -> withExtensions(oneMore))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("extensions");
    }

    @Test
    void anObjectHasNoMoreFragmentsOrBytesThanAFileSystemTakes() {
        int mebi = 1 << 20;
        assertThat(Manifest.isTooLarge(Manifest.MAX_SIZE_BYTES, mebi)).isFalse();
        assertThat(Manifest.isTooLarge(Manifest.UNKNOWN_SIZE, mebi)).isFalse();
        assertThat(Manifest.isTooLarge(Manifest.MAX_SIZE_BYTES + 1, mebi)).isTrue();
        assertThat(Manifest.isTooLarge(Long.MAX_VALUE, mebi)).isTrue();
        assertThat(Manifest.isTooLarge(Manifest.MAX_FRAGMENTS * 4096, 4096)).isFalse();
        assertThat(Manifest.isTooLarge(Manifest.MAX_FRAGMENTS * 4096 + 1, 4096)).isTrue();
        assertThat(manifest(1, "n", Long.MAX_VALUE, 4096, Map.of()).hasFragment(1L << 50, 4096))
                .isFalse();

        Manifest unknown = manifest(1, "n", Manifest.UNKNOWN_SIZE, 4096, Map.of());
        assertThat(unknown.hasFragment(Manifest.MAX_FRAGMENTS - 1, 4096)).isTrue();
        for (long index : new long[] {-1, Manifest.MAX_FRAGMENTS, 1L << 50, Long.MAX_VALUE}) {
            assertThat(unknown.hasFragment(index, 4096)).isFalse();
        }
        Manifest large = manifest(1, "n", Manifest.UNKNOWN_SIZE, 64 << 20, Map.of());
        assertThat(large.hasFragment(Manifest.MAX_SIZE_BYTES / (64 << 20) - 1, 64 << 20))
                .isTrue();
        assertThat(large.hasFragment(Manifest.MAX_SIZE_BYTES / (64 << 20), 1)).isFalse();
    }

    private static Manifest withPaths(List<String> paths) {
        return new Manifest(KEY, 1, new Topic("t"), TransferKind.FILE, "a", paths, 0, 16, Map.of());
    }

    private static Manifest withExtensions(List<Extension> extensions) {
        return new Manifest(KEY, 1, new Topic("t"), TransferKind.FILE, "a", List.of("a"), 0, 16, Map.of(), extensions);
    }

    @Test
    void itDoesNotShareWhatItWasMadeFrom() {
        List<String> paths = new ArrayList<>(List.of("a"));
        Map<String, String> attributes = new HashMap<>(Map.of("x", "1"));
        Manifest manifest = new Manifest(KEY, 1, new Topic("t"), TransferKind.FILE, "a", paths, 0, 16, attributes);

        paths.add("b");
        attributes.put("y", "2");

        assertThat(manifest.paths()).containsExactly("a");
        assertThat(manifest.attributes()).containsOnlyKeys("x");
    }

    @Test
    void aCommitAgreesWithItsSize() {
        TransferDigest digest = new TransferDigest(16, new byte[32]);

        assertThat(new Commit(17, 2, digest).fragmentCount()).isEqualTo(2);
        assertThatThrownBy(() -> new Commit(17, 1, digest)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Commit(-1, 0, digest)).isInstanceOf(IllegalArgumentException.class);
    }
}
