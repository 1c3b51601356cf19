package io.hawser.send;

import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.SentTransfer;
import io.hawser.client.TransferId;
import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.Topic;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.Errors;
import io.hawser.ops.cli.ExitCode;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileFacts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Hands the objects of a plan to the client one by one, and waits until all of them reach the wanted level. It does not send again what
 * an interrupted run has sent.
 *
 * <p>Thread: main only.
 */
final class SendRun {
    /** Transfers that may wait for the broker at once; fewer than the client bears, which would block without a word. */
    private static final int MAX_WAITING = 4000;

    private static final long SHOW_MILLIS = 200;

    /** Transfers that are asked for what holds them back, each time. */
    private static final int MAX_ASKED = 8;

    /** A directory's times say nothing about what is sent for it, which is its name. */
    private static final String DIRECTORY = "directory";

    private final HawserClient client;
    private final Optional<SendResumeLog> resumeLog;
    private final SendDisplay display;
    private final ProgressTracker tracker;
    private final SendPlan plan;
    private final Order order;
    private final DiskStorage storage = new DiskStorage();
    private final Semaphore room = new Semaphore(MAX_WAITING);
    private final List<SentObject> sendings = new ArrayList<>();
    private final long startedNanos = System.nanoTime();
    private long shownNanos = startedNanos;
    private final ReasonDebouncer reason = new ReasonDebouncer();
    private boolean hasConnected;
    /** Up to here each object has been told to the display. */
    private final BitSet told = new BitSet();

    /**
     * What the user asked for.
     *
     * @param topic where it goes; empty if nothing new is sent
     * @param level how safe it must be
     * @param rule at how many subscriptions
     * @param connectTimeout how long to wait for the first session with the broker
     * @param timeout how long to wait for all of it; empty for as long as it takes
     * @param rateBytesPerSecond the limit that was asked for; 0 for none
     */
    record Order(
            Optional<Topic> topic,
            WaitLevel level,
            CompletionRule rule,
            Duration connectTimeout,
            Optional<Duration> timeout,
            long rateBytesPerSecond) {
        /** The topic of what is handed over. */
        String topicName() {
            return topic.orElseThrow().name();
        }
    }

    /** @param resumeLog of this command; empty if nothing new is sent */
    SendRun(HawserClient client, Optional<SendResumeLog> resumeLog, SendDisplay display, SendPlan plan, Order order) {
        this.client = client;
        this.resumeLog = resumeLog;
        this.display = display;
        this.plan = plan;
        this.order = order;
        this.tracker = new ProgressTracker(client, plan, order);
    }

    /**
     * Sends the plan. The result is in its order; each object is done or failed, or the time is over.
     *
     * @throws CommandException if there is no broker, or the disk of the client failed
     */
    List<SentObject> run() throws IOException {
        SendResumeLog known = resumeLog.orElseThrow();
        // Before anything is sent: these transfers continue by themselves, and the client forgets finished ones soon.
        Map<TransferId, SentTransfer> resumed = known.watch(client);
        for (SendPlan.Entry entry : plan.entries()) {
            if (!awaitRoom()) {
                sendings.add(SentObject.tooLate(entry));
                continue;
            }
            sendings.add(begin(entry, known, resumed));
            known.check();
            if (System.nanoTime() - shownNanos > TimeUnit.MILLISECONDS.toNanos(SHOW_MILLIS)) {
                tick();
            }
        }
        awaitAll();
        return sendings;
    }

    /** Waits for what earlier runs have handed over; {@code transfers} are in the order of the plan. */
    List<SentObject> resume(List<SentTransfer> transfers) throws IOException {
        for (int i = 0; i < transfers.size(); i++) {
            sendings.add(SentObject.of(plan.entries().get(i), transfers.get(i), SentObject.Origin.RESUMED, order));
        }
        awaitAll();
        return sendings;
    }

    private SentObject begin(SendPlan.Entry entry, SendResumeLog resumeLog, Map<TransferId, SentTransfer> resumed)
            throws IOException {
        String fingerprint = fingerprint(entry);
        Optional<SendResumeLog.Remembered> known =
                entry.isStandardInput() ? Optional.empty() : resumeLog.find(entry, fingerprint);
        SentTransfer transfer =
                known.map(remembered -> resumed.get(remembered.id())).orElse(null);
        if (transfer != null && isHopeless(transfer)) {
            transfer = null; // it is sent anew
            known = Optional.empty();
        }
        if (transfer == null && known.isPresent() && known.get().isAtLeast(order.level)) {
            room.release();
            return SentObject.finishedEarlier(entry, known.get().id());
        }
        try {
            SentObject.Origin origin = SentObject.Origin.RESUMED;
            if (transfer == null) {
                Optional<SentTransfer> pending = findPending(entry);
                origin = pending.isPresent() ? SentObject.Origin.RESUMED : SentObject.Origin.NOW;
                transfer = pending.isPresent() ? pending.get() : handOver(entry);
                resumeLog.begun(client, entry, fingerprint, transfer);
            }
            var unused = transfer.brokered().whenComplete((key, failure) -> room.release());
            return SentObject.of(entry, transfer, origin, order);
        } catch (HawserException e) {
            room.release();
            return SentObject.notBegun(entry, e);
        }
    }

    /** Whether it was refused, or a far end does not deliver it. */
    private boolean isHopeless(SentTransfer transfer) {
        return transfer.brokered().isCompletedExceptionally()
                || WaitLevel.DELIVERED.of(transfer, order.rule).isCompletedExceptionally();
    }

    /**
     * Finds a pending transfer of this file from another command, or one that the memory missed. Not one that is brokered: sending a
     * file again means to reach the subscriptions that were made since.
     */
    private Optional<SentTransfer> findPending(SendPlan.Entry entry) throws IOException {
        return entry.isDirectory() || entry.isStandardInput()
                ? Optional.empty()
                : client.findPending(order.topicName(), entry.name(), entry.path())
                        .filter(transfer -> !transfer.brokered().isDone());
    }

    private SentTransfer handOver(SendPlan.Entry entry) throws IOException {
        if (entry.isStandardInput()) {
            return readInput(entry);
        }
        return entry.isDirectory()
                ? client.makeDirectory(order.topicName(), entry.name())
                : client.send(order.topicName(), entry.path(), entry.name());
    }

    /** Its end counts as the end of the file: what is piped in cannot say whether the program that wrote it has failed. */
    private SentTransfer readInput(SendPlan.Entry entry) throws IOException {
        CompletableFuture<SentTransfer> read = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    try {
                        read.complete(client.send(order.topicName(), entry.name(), System.in));
                    } catch (IOException | RuntimeException e) {
                        read.completeExceptionally(e);
                    }
                },
                "hawser-input");
        reader.setDaemon(true);
        reader.start();
        while (true) {
            try {
                return read.get(SHOW_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (isLate()) {
                    throw new CommandException(
                            ExitCode.NOT_YET, "standard input did not end within --timeout; nothing of it was sent");
                }
                tick();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException cause) {
                    throw cause;
                }
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    /** Empty if there is no such file any more. */
    private String fingerprint(SendPlan.Entry entry) {
        if (entry.isDirectory()) {
            return DIRECTORY;
        } else if (entry.isStandardInput()) {
            return "";
        }
        try {
            FileFacts facts = storage.facts(entry.path().toRealPath());
            return facts == null ? "" : facts.fingerprint();
        } catch (IOException e) {
            return "";
        }
    }

    /** False if the time is over. */
    private boolean awaitRoom() throws IOException {
        try {
            while (!isLate()) {
                if (room.tryAcquire(SHOW_MILLIS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
                tick();
            }
            return false;
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private boolean isLate() {
        return order.timeout
                .filter(limit -> System.nanoTime() - startedNanos >= limit.toNanos())
                .isPresent();
    }

    private void awaitAll() throws IOException {
        CompletableFuture<?> all = CompletableFuture.allOf(sendings.stream()
                .map(sending -> sending.done().handle((done, failure) -> 0))
                .toArray(CompletableFuture<?>[]::new));
        while (true) {
            try {
                all.get(SHOW_MILLIS, TimeUnit.MILLISECONDS);
                show();
                if (sendings.stream().anyMatch(sending -> sending.failure() != null)) {
                    requireStorage();
                }
                return;
            } catch (TimeoutException e) {
                if (isLate()) {
                    return;
                }
                tick();
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    /** What it has begun, in the plan's order. */
    List<SentObject> sendings() {
        return sendings;
    }

    private static CommandException interrupted() {
        Thread.currentThread().interrupt();
        return new CommandException(ExitCode.INTERRUPTED, "interrupted");
    }

    private void tick() {
        show();
        requireStorage();
        hasConnected |= client.isConnected();
        if (!hasConnected
                && order.level != WaitLevel.SPOOLED
                && System.nanoTime() - startedNanos > order.connectTimeout.toNanos()) {
            throw new CommandException(
                    ExitCode.CANNOT_CONNECT,
                    "cannot connect to the broker " + client.brokers().get(0) + ": " + client.connectionProblem()
                            + "; run the same command again to continue");
        }
    }

    private void requireStorage() {
        client.failure().ifPresent(failure -> {
            throw new CommandException(ExitCode.STORAGE, Errors.sentence(failure));
        });
    }

    private void show() {
        shownNanos = System.nanoTime();
        display.show(tracker.progress(sendings, reason.of(heldBack(), shownNanos), shownNanos));
        for (int i = told.nextClearBit(0); i < sendings.size(); i = told.nextClearBit(i + 1)) {
            if (sendings.get(i).done().isDone()) {
                told.set(i);
                display.done(sendings.get(i));
            }
        }
    }

    /** What the first unfinished transfer waits for; empty if none waits. */
    private String heldBack() {
        String problem = client.connectionProblem();
        if (!problem.isEmpty()) {
            return "no session with the broker: " + problem;
        }
        int asked = 0;
        for (SentObject sending : sendings) {
            SentTransfer transfer = sending.transfer();
            if (transfer != null && !sending.done().isDone()) {
                String held = transfer.brokered().isDone() ? problemAtFarEnds(transfer) : problem(transfer);
                if (!held.isEmpty()) {
                    return transfer.name() + ": " + held;
                } else if (++asked == MAX_ASKED) {
                    return "";
                }
            }
        }
        return "";
    }

    /** Of one that the broker has. While bytes arrive somewhere nothing holds it back. */
    private String problemAtFarEnds(SentTransfer transfer) {
        if (tracker.brokerMoves()) {
            return "";
        }
        List<String> away = tracker.away();
        if (!away.isEmpty() && order.rule.equals(CompletionRule.ALL)) {
            return "at the broker; " + String.join(", ", away) + (away.size() == 1 ? " is" : " are") + " not connected";
        }
        return tracker.farEndsMove() ? "" : problem(transfer);
    }

    private static String problem(SentTransfer transfer) {
        try {
            return transfer.problem();
        } catch (IOException e) {
            return "the client is busy: " + e.getMessage();
        }
    }
}
