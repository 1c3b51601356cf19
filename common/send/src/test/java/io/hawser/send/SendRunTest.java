package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.client.ClientOnStorage;
import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.CrashStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hawser send} does when the disk of its state directory fails while it waits. No broker listens. */
@Timeout(60)
class SendRunTest {
    private static final Topic TOPIC = new Topic("site-b");

    @TempDir
    private Path directory;

    @TempDir
    private Path graveyard;

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void aFailedDiskEndsTheWaitAndTheNextRunContinues() throws Exception {
        CrashStorage storage = new CrashStorage(new DiskStorage(), graveyard);
        Path file = Files.write(directory.resolve("f"), new byte[10]);
        SendPlan plan = SendPlan.of(List.of(file), new SendPlan.Choice("", NameFilter.ALL, null));
        SendRun.Order order = new SendRun.Order(
                Optional.of(TOPIC), WaitLevel.BROKERED, CompletionRule.ALL, Duration.ofHours(1), Optional.empty(), 0);
        ClientOptions options = ClientOptions.of("127.0.0.1:1").withState(directory.resolve("state"));
        SendPlan.Entry entry = plan.entries().get(0);
        String fingerprint = new DiskStorage().facts(file.toRealPath()).fingerprint();
        try (HawserClient client = ClientOnStorage.connect(options, storage);
                SendResumeLog resumeLog =
                        SendResumeLog.open(client.slot(), new SendDestination(TOPIC, ""), List.of(file))) {
            SendRun run = new SendRun(client, Optional.of(resumeLog), SendDisplay.NONE, plan, order);
            CompletableFuture<Void> broken =
                    CompletableFuture.runAsync(() -> failJournalAfterTheFirst(client, storage));

            assertThatThrownBy(run::run)
                    .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.exitCode())
                            .isEqualTo(ExitCode.STORAGE))
                    .hasMessageContaining("Input/output error")
                    .hasMessageContaining("start again with the same state directory");
            broken.join();
            assertThat(resumeLog.find(entry, fingerprint)).isPresent();
        }
    }

    private static void failJournalAfterTheFirst(HawserClient client, CrashStorage storage) {
        try {
            while (client.pending().stream()
                    .noneMatch(transfer -> transfer.spooled().isDone())) {
                Thread.onSpinWait();
            }
            storage.failCalls(call -> new StorageException("Input/output error"));
            client.send("site-b", "other", new byte[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
