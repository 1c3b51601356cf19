package io.hawser.agentb;

import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.AdminPage;
import io.hawser.store.landing.DeadLetter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Serves the dead-letter list over HTTP: {@code GET /dead}, {@code POST /dead/retry}, {@code POST /dead/drop}. The parameter {@code id} is a
 * transfer's key or its beginning, or {@code all}.
 *
 * <p>Thread: the admin thread.
 */
record DeadLetterPages(Letters letters) {
    private static final int MIN_PREFIX_LENGTH = 6;

    /** The landing area's dead letters. */
    interface Letters {
        List<DeadLetter> list() throws IOException;

        boolean retry(TransferKey key) throws IOException;

        boolean drop(TransferKey key) throws IOException;
    }

    /**
     * The result of a retry or a drop, as JSON.
     *
     * @param done those that were retried or dropped
     * @param left those that were skipped, since a later transfer of the same path was delivered and the request did not name them
     */
    record Result(List<DeadLetter> done, List<DeadLetter> left) {}

    List<DeadLetter> list() throws IOException {
        return letters.list();
    }

    Map<String, AdminPage> actions() {
        return Map.of(
                "/dead/retry", AdminPage.json(query -> act(query, letters::retry, false)),
                "/dead/drop", AdminPage.json(query -> act(query, letters::drop, true)));
    }

    private interface Action {
        boolean run(TransferKey key) throws IOException;
    }

    private Result act(Map<String, String> query, Action action, boolean alsoOvertaken) throws IOException {
        String id = query.getOrDefault("id", "");
        boolean all = id.equals("all");
        List<DeadLetter> done = new ArrayList<>();
        List<DeadLetter> left = new ArrayList<>();
        for (DeadLetter letter : all ? letters.list() : List.of(named(id))) {
            if (all && letter.wasOvertaken() && !alsoOvertaken) {
                left.add(letter);
            } else if (action.run(TransferKey.parse(letter.transfer()))) {
                done.add(letter);
            }
        }
        return new Result(done, left);
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
                            ? "'" + id + "' is the beginning of " + found.size() + " dead letters; write more of it"
                            : "there is no dead letter '" + id + "'; 'hawser dead list' shows them");
        }
        return found.get(0);
    }

    /** A key is {@code NODE-TRANSFER}; users copy all of it or the second half. */
    private static boolean matches(String key, String id) {
        return key.startsWith(id) || key.substring(key.indexOf('-') + 1).startsWith(id);
    }
}
