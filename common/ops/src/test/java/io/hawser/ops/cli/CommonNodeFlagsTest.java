package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.SettingNames;
import io.hawser.ops.audit.Audit;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommonNodeFlagsTest {
    @Test
    void refusalsDoNotFillTheAuditLog(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("audit");
        List<ConfigKey<?>> keys = new ArrayList<>(CommonNodeFlags.historyGroup().keys());
        keys.addAll(List.of(CommonNodeFlags.AUDIT, CommonNodeFlags.ADMIN_TOKEN, CommonNodeFlags.WARN_AFTER));
        Config config = Config.of(
                "broker",
                keys,
                Map.of("audit", file.toString()),
                Map.of(),
                Map.of(),
                new SettingNames(Map.of("broker", keys)));

        try (Audit audit = CommonNodeFlags.supervision(config, "broker").audit()) {
            for (int i = 0; i < 1000; i++) {
                audit.note("-", "admin GET", "/" + i, new InetSocketAddress("192.0.2.7", 1), "not admitted");
            }
        }

        assertThat(Files.readAllLines(file)).hasSize(31).last().asString().contains("refused 970 more times");
    }
}
