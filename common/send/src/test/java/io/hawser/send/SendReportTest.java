package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.core.model.CompletionRule;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendReportTest {
    @TempDir
    Path directory;

    @Test
    void summaryCountsWhatWasSentAndNotWhatTheScanSaw() throws Exception {
        Path file = Files.write(directory.resolve("f"), new byte[10]);
        SendPlan.Entry entry = new SendPlan.Entry(file, "f", false, 200);
        SendRun.Order order = new SendRun.Order(
                Optional.empty(), WaitLevel.SPOOLED, CompletionRule.ALL, Duration.ofSeconds(1), Optional.empty(), 0);
        StringWriter said = new StringWriter();
        try (HawserClient client =
                HawserClient.connect(ClientOptions.of("127.0.0.1:1").withState(directory.resolve("state")))) {
            SentTransfer transfer = client.send("site-b", file, "f");
            transfer.spooled().join();
            List<SentObject> sendings = List.of(SentObject.of(entry, transfer, SentObject.Origin.NOW, order));
            new SendReport(new SendPlan(List.of(entry), List.of()), sendings, order).summary(1, new PrintWriter(said));
        }
        assertThat(said.toString()).startsWith("1 of 1 spooled, 10 B in ");
    }
}
