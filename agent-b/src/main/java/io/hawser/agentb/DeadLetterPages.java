package io.hawser.agentb;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminPage.Answer;
import io.hawser.store.landing.DeadLetter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Serves the dead-letter list over HTTP: {@code GET /dead}, {@code POST /dead/retry}, {@code POST /dead/drop}. The parameter {@code id} is a
 * transfer's key or its beginning, or {@code all}.
 *
 * <p>Thread: the admin thread.
 *
 * @param patience for the records of one request; shorter than a client waits
 */
record DeadLetterPages(Letters letters, Duration patience) {
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final int MIN_PREFIX_LENGTH = 6;

    /** The landing area's dead letters. */
    interface Letters {
        List<DeadLetter> list() throws IOException;

        /** Completes when it is durable that it is tried again, or cannot be. */
        CompletableFuture<Outcome<TransferKey>> retry(TransferKey key);

        /** Completes when it is durable that it is dropped, or cannot be. */
        CompletableFuture<Outcome<TransferKey>> drop(TransferKey key);
    }

    /**
     * The result of a retry or a drop, as JSON.
     *
     * @param done those that were retried or dropped, durably
     * @param left those that were skipped, since a later transfer of the same path was delivered and the request did not name them
     * @param problem why it was not done of others; null if there are none
     */
    record Result(
            List<DeadLetter> done,
            List<DeadLetter> left,
            @Nullable String problem) {}

    static DeadLetterPages of(Letters letters) {
        return new DeadLetterPages(letters, PATIENCE);
    }

    /** Answers with 202 instead of 200 if there is a problem. */
    Map<String, AdminPage> actions() {
        return Map.of(
                "/dead/retry", query -> answer(act(query, letters::retry, false)),
                "/dead/drop", query -> answer(act(query, letters::drop, true)));
    }

    private static Answer answer(Result result) {
        return Answer.json(result.problem() == null ? 200 : 202, result);
    }

    private interface Action {
        CompletableFuture<Outcome<TransferKey>> run(TransferKey key);
    }

    private Result act(Map<String, String> query, Action action, boolean alsoOvertaken) throws IOException {
        String id = query.getOrDefault("id", "");
        boolean all = id.equals("all");
        List<DeadLetter> left = new ArrayList<>();
        Map<DeadLetter, CompletableFuture<Outcome<TransferKey>>> begun = new LinkedHashMap<>();
        for (DeadLetter letter : all ? letters.list() : List.of(named(id))) {
            if (all && letter.wasOvertaken() && !alsoOvertaken) {
                left.add(letter);
            } else {
                begun.put(letter, action.run(TransferKey.parse(letter.transfer())));
            }
        }
        long endNanos = System.nanoTime() + patience.toNanos();
        List<DeadLetter> done = new ArrayList<>();
        String problem = null;
        for (Map.Entry<DeadLetter, CompletableFuture<Outcome<TransferKey>>> each : begun.entrySet()) {
            Refusal refusal =
                    await(each.getValue(), endNanos - System.nanoTime()).refusal();
            if (refusal == null) {
                done.add(each.getKey());
            } else if (problem == null && !(all && refusal.code() == ErrorCode.NOT_FOUND)) { // "all" does not name it
                problem = refusal.detail();
            }
        }
        return new Result(done, left, problem);
    }

    private Outcome<TransferKey> await(CompletableFuture<Outcome<TransferKey>> future, long nanos) throws IOException {
        try {
            return future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return Outcome.refused(
                    ErrorCode.STORAGE_FAILED,
                    "The landing area's journal has not recorded it after " + patience.toSeconds()
                            + " s; look at 'hawser dead list' later.");
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting", e);
        }
    }

    private DeadLetter named(String id) throws IOException {
        List<DeadLetter> found = letters.list().stream()
                .filter(letter -> matches(letter.transfer(), id))
                .toList();
        if (id.length() < MIN_PREFIX_LENGTH && !found.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + id + "' is too short: write at least " + MIN_PREFIX_LENGTH + " characters of the ID");
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    found.size() > 1
                            ? "'" + id + "' is the beginning or the end of " + found.size()
                                    + " dead letters; write more of it"
                            : "there is no dead letter '" + id + "'; 'hawser dead list' shows them");
        }
        return found.get(0);
    }

    /** A key is {@code NODE-TRANSFER}; users copy all of it, the second half, or the end that {@code hawser status} shows. */
    private static boolean matches(String key, String id) {
        return key.startsWith(id) || key.substring(key.indexOf('-') + 1).startsWith(id) || key.endsWith(id);
    }
}
