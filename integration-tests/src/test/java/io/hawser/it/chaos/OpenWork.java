package io.hawser.it.chaos;

import io.hawser.ops.cli.CommandException;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What is still on its way, and where it stands, as publishers and nodes say: for a run that does not become quiet. Thread: any. */
final class OpenWork {
    private static final Duration TIMEOUT = TestTimes.scaled(Duration.ofSeconds(5));
    private static final int SHOWN = 40;
    private static final Set<String> ENDED = Set.of("delivered", "cancelled", "failed", "expired");

    private OpenWork() {}

    /** Never throws and never waits long, whatever the nodes and clients do. */
    static List<String> of(Deployment deployment, List<Publisher> publishers) {
        List<String> all = new ArrayList<>();
        for (Publisher publisher : publishers) {
            if (!publisher.isDone()) {
                all.add(publisher.standing());
            }
            if (publisher instanceof ApiPublisher api && !api.isIdle()) {
                all.addAll(inTime(api.name, api::openTransfers));
            }
        }
        for (Member member : deployment.members()) {
            all.addAll(at(member));
        }
        return all;
    }

    private static List<String> at(Member member) {
        List<String> all = new ArrayList<>();
        try {
            byte[] page = Deployment.admin(member, TIMEOUT)
                    .get("/transfers", Map.of("limit", Integer.toString(TransferPage.MAX_LIMIT)));
            for (TransferStatus transfer : Json.read(page, TransferPage.class).transfers()) {
                if (!ENDED.contains(transfer.state())) {
                    all.add(line(member, transfer));
                }
            }
        } catch (CommandException | IOException e) {
            all.add(member.name() + " does not say what it has: " + e.getMessage());
        }
        return cut(all);
    }

    private static String line(Member member, TransferStatus transfer) {
        StringBuilder text = new StringBuilder(member.name() + ": "
                + transfer.object().name() + " (" + transfer.key() + ", "
                + transfer.object().sizeBytes() + " bytes, " + transfer.ageMillis() + " ms): " + transfer.state());
        for (HopStatus hop : transfer.hops()) {
            text.append("; ").append(hop.hop()).append(' ').append(hop.state()).append(", durable ");
            text.append(hop.bytes().durableBytes()).append(hop.reason().isEmpty() ? "" : ", " + hop.reason());
        }
        return text.toString();
    }

    private interface Question {
        List<String> ask() throws Exception;
    }

    /** Asks on a thread of its own, which is left behind if there is no answer. */
    private static List<String> inTime(String who, Question question) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        answer.complete(question.ask());
                    } catch (Exception e) {
                        answer.completeExceptionally(e);
                    }
                },
                "asking-" + who);
        thread.setDaemon(true);
        thread.start();
        try {
            return cut(answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return List.of(who + " does not say what it has open: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static List<String> cut(List<String> all) {
        if (all.size() <= SHOWN) {
            return all;
        }
        List<String> some = new ArrayList<>(all.subList(0, SHOWN));
        some.add("and " + (all.size() - SHOWN) + " more");
        return some;
    }
}
