package io.hawser.agenta.http;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the requests that run by account.
 *
 * <p>Thread: the loop.
 */
final class RunningRequests {
    private final int ofAccount;
    private final Map<String, Integer> counts = new HashMap<>();

    RunningRequests(int ofAccount) {
        this.ofAccount = ofAccount;
    }

    /** A request of {@code account} begins; false if it has too many. */
    boolean begin(String account) {
        int running = counts.getOrDefault(account, 0);
        if (running >= ofAccount) {
            return false;
        }
        counts.put(account, running + 1);
        return true;
    }

    void end(String account) {
        counts.computeIfPresent(account, (name, running) -> running == 1 ? null : running - 1);
    }
}
