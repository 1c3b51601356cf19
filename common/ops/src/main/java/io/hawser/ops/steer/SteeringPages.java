package io.hawser.ops.steer;

import io.hawser.core.access.Right;
import io.hawser.core.model.Topic;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code POST /transfers/cancel} and the like: with {@code key} of one transfer, or with {@code topic}, {@code name} (a pattern) and {@code state} of
 * many; {@code dryRun=true} changes nothing. 200 when all that was asked is done and has ended; 202 if something was skipped or has yet to
 * end. A caller needs the right {@code admin} on a transfer's topic, and sees nothing of topics that it may not see.
 *
 * <p>Thread: the admin thread.
 */
public final class SteeringPages {
    /** The most transfers of one request. */
    static final int MOST = 10_000;
    /** A state that another follows by itself, soon. */
    private static final String CANCELLING = "cancelling";
    /** So long a request for few transfers waits for their ends. */
    private static final int LOOKS = 20;

    private static final long LOOK_MILLIS = 100;
    /** A request for more does not wait. */
    private static final int FEW = 16;

    private final TransferSteering steering;
    private final Audit audit;
    private final List<SteeringAction> actions;

    /** @param actions what this node does */
    public SteeringPages(TransferSteering steering, Audit audit, List<SteeringAction> actions) {
        this.steering = steering;
        this.audit = audit;
        this.actions = List.copyOf(actions);
    }

    /** What POST does, by path. */
    public Map<String, AdminPage> pages() {
        Map<String, AdminPage> all = new LinkedHashMap<>();
        actions.forEach(action -> all.put(action.path(), new Page(action)));
        return all;
    }

    /** One of them. */
    private final class Page implements AdminPage {
        private final SteeringAction action;

        Page(SteeringAction action) {
            this.action = action;
        }

        @Override
        public boolean checksCallers() {
            return true;
        }

        @Override
        public Answer get(Map<String, String> query) throws IOException {
            return get(query, Caller.OPERATOR);
        }

        @Override
        public Answer get(Map<String, String> query, Caller caller) throws IOException {
            SteeringFilter filter = SteeringFilter.of(query);
            SteeringCommand command = new SteeringCommand(action, priority(query), caller.name());
            boolean dryRun = Boolean.parseBoolean(query.getOrDefault("dryRun", "false"));
            SteeringResult result = steer(filter, command, dryRun, caller);
            boolean complete = result.skipped().isEmpty()
                    && result.changed().stream().noneMatch(each -> each.now().equals(CANCELLING));
            return new Answer(complete ? 200 : 202, "application/json; charset=utf-8", Json.text(result));
        }

        private int priority(Map<String, String> query) {
            String to = query.getOrDefault("to", "");
            if (action != SteeringAction.PRIORITY) {
                return 0;
            }
            if (!to.matches("[1-9]")) {
                throw new IllegalArgumentException("a priority is 1 (last) to 9 (first), not '" + to + "'");
            }
            return Integer.parseInt(to);
        }
    }

    private SteeringResult steer(SteeringFilter filter, SteeringCommand command, boolean dryRun, Caller caller)
            throws IOException {
        Map<String, TransferStatus> wanted = new LinkedHashMap<>();
        List<SteeringResult.Skipped> skipped = new ArrayList<>();
        for (TransferStatus each : visible(filter, caller)) {
            Topic topic = new Topic(each.object().topic());
            String why = caller.access().grants().allow(Right.ADMIN, topic)
                    ? steering.whyNot(command.action(), each).orElse("")
                    : caller.access().refusal(Right.ADMIN, topic);
            if (why.isEmpty()) {
                wanted.put(each.key(), each);
            } else {
                skipped.add(new SteeringResult.Skipped(each.key(), why));
            }
        }
        List<SteeringResult.Changed> changed = new ArrayList<>();
        if (dryRun) {
            wanted.values()
                    .forEach(each -> changed.add(changed(
                            each, SteeringResult.WOULD_BE + command.action().done())));
            return new SteeringResult(true, changed, skipped);
        }
        Map<String, String> done = steering.apply(command, List.copyOf(wanted.keySet()));
        Map<String, String> now = ends(command.action(), wanted);
        wanted.forEach((key, before) -> {
            String problem = done.getOrDefault(key, "it was not done in time; ask again");
            audit.note(
                    command.by(),
                    command.action().word(),
                    before.object().topic() + "/" + before.object().name() + " " + key,
                    "admin",
                    problem.isEmpty() ? Audit.OK : problem);
            if (problem.isEmpty()) {
                changed.add(
                        changed(before, now.getOrDefault(key, command.action().done())));
            } else {
                skipped.add(new SteeringResult.Skipped(key, problem));
            }
        });
        return new SteeringResult(false, changed, skipped);
    }

    private static SteeringResult.Changed changed(TransferStatus before, String now) {
        return new SteeringResult.Changed(
                before.key(), before.object().topic(), before.object().name(), before.state(), now);
    }

    private List<TransferStatus> visible(SteeringFilter filter, Caller caller) throws IOException {
        List<TransferStatus> found = steering.find(filter, MOST + 1).stream()
                .filter(each -> caller.access().seesAll()
                        || caller.access().sees(new Topic(each.object().topic())))
                .toList();
        if (found.size() > MOST) {
            throw new IllegalArgumentException(
                    "more than " + MOST + " transfers are meant; give a narrower topic, name or state");
        }
        if (found.isEmpty() && filter.isOfOne()) {
            throw new IllegalArgumentException(
                    "this node knows no transfer " + filter.key() + "; 'hawser status' shows those that it knows");
        }
        return found;
    }

    /** The states after it, by key; of few transfers when they have ended, or after a while. */
    private Map<String, String> ends(SteeringAction action, Map<String, TransferStatus> wanted) throws IOException {
        Map<String, String> states = new LinkedHashMap<>();
        boolean isCancel = action == SteeringAction.CANCEL;
        if (wanted.size() > FEW) {
            wanted.keySet().forEach(key -> states.put(key, isCancel ? CANCELLING : action.done()));
            return states;
        }
        for (int look = 0; look < LOOKS; look++) {
            states.clear();
            for (String key : wanted.keySet()) {
                steering.find(SteeringFilter.ofOne(key), 1).forEach(each -> states.put(each.key(), each.state()));
            }
            if (!states.containsValue(CANCELLING)) {
                return states;
            }
            pause();
        }
        return states;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting", e);
        }
    }
}
