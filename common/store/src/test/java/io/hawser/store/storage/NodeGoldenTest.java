package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.NodeId;
import io.hawser.core.testkit.Golden;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pins the bytes of a node's identity and epoch. They have no version: each is one number, and whatever else is refused. */
class NodeGoldenTest {
    private static final Path PLACE = Path.of("/data/node");
    private static final Path FRESH = Path.of("/data/fresh");

    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void identityAndEpochAreReadAndWrittenAsVersionTwoHasThem() throws Exception {
        Map<String, byte[]> golden = Golden.read(NodeGoldenTest.class, "v1/node.txt");
        storage.createDirectories(PLACE);
        storage.replaceAll(PLACE.resolve("node.id"), golden.get("node.id"));
        storage.replaceAll(PLACE.resolve("epoch"), golden.get("epoch"));

        try (NodeDirectory node = NodeDirectory.open(storage, PLACE)) {
            assertThat(node.id()).isEqualTo(new NodeId(0x0123456789abcdefL, 0xfedcba9876543210L));
            assertThat(node.epoch()).isEqualTo(42);
        }
        assertThat(storage.readAll(PLACE.resolve("node.id"))).isEqualTo(golden.get("node.id"));
        assertThat(storage.readAll(PLACE.resolve("epoch"))).isEqualTo(golden.get("epoch.next"));
        try (NodeDirectory fresh = NodeDirectory.open(storage, FRESH)) {
            assertThat(storage.readAll(FRESH.resolve("node.id")))
                    .isEqualTo((fresh.id() + "\n").getBytes(StandardCharsets.US_ASCII))
                    .hasSameSizeAs(golden.get("node.id"));
            assertThat(storage.readAll(FRESH.resolve("epoch"))).isEqualTo(golden.get("epoch.first"));
        }
    }
}
