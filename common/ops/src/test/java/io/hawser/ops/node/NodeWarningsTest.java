package io.hawser.ops.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node's health says of where it keeps its data. */
final class NodeWarningsTest {
    @TempDir
    Path directory;

    private static final class BareNode extends NodeBase {
        @Override
        protected void begin() {}

        @Override
        protected void end() {
            net.close();
        }

        @Override
        protected Map<String, String> ownAddresses() {
            return Map.of();
        }

        Health health() {
            return Health.of(true, "node", Map.of()).with(warnings());
        }
    }

    private static Storage on(String type) {
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("fileSystemType");
                    return type;
                });
    }

    @Test
    void aFileSystemOnWhichNothingCanBePromisedIsAWarningAndNoFailure() {
        BareNode node = new BareNode();
        try {
            node.keepsDataIn("spool", new DiskStorage(), directory);
            node.keepsDataIn("data", on("nfs4"), directory);
            node.keepsDataIn("into", on("fuse.sshfs"), directory);
            node.keepsDataIn("local", on("xfs"), directory);

            Health health = node.health();
            assertThat(health.ok()).isTrue();
            assertThat(health.warnings()).extracting(HealthWarning::code).containsOnly("file-system");
            assertThat(health.warnings()).extracting(HealthWarning::subject).containsExactly("data", "into");
            assertThat(health.warnings().get(0).sentence())
                    .startsWith(directory + " is on nfs4, which is a network file system");
            assertThat(health.warnings().get(1).text())
                    .startsWith("file-system (into): " + directory + " is on fuse.sshfs");
        } finally {
            node.stop();
        }
    }
}
