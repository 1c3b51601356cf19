package io.hawser.it.scenario;

import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Copies the nodes' logs of a failed scenario to {@code target/it-logs/CLASS.METHOD/}. */
final class KeepLogs implements AfterTestExecutionCallback {
    @Override
    public void afterTestExecution(ExtensionContext context) throws IOException {
        if (context.getExecutionException().isEmpty()
                || !(context.getRequiredTestInstance() instanceof Scenario scenario)) {
            return;
        }
        Path kept = Path.of(
                "target",
                "it-logs",
                context.getRequiredTestClass().getSimpleName() + "."
                        + context.getRequiredTestMethod().getName());
        Files.createDirectories(kept);
        for (Part part : Part.values()) {
            Path log = scenario.chain.logFile(part);
            if (Files.exists(log)) {
                Files.copy(log, kept.resolve(part.command() + ".log"), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
