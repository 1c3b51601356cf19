package io.hawser.ops.steer;

import io.hawser.core.access.Right;
import io.hawser.core.model.Topic;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * {@code POST /transfers/cancel} and the like: with {@code key} of one transfer (or keys, with commas), or with {@code topic}, {@code name} (a pattern) and {@code state} of
 * many; {@code dryRun=true} changes nothing. 200 when all that was asked is done and has ended; 202 if something was skipped or has yet to
 * end. A caller needs the right {@code admin} on a transfer's topic, and sees nothing of topics that it may not see.
 *
 * <p>Thread: those of the admin pages. None waits: the answer is made when what was asked is durable, and the far ends have answered.
 */
public final class SteeringPages {
    /** The most transfers of one request. */
    static final int MOST = 10_000;
    /** So long a request for few transfers waits for their ends. */
    private static final Duration END_LIMIT = Duration.ofSeconds(2);
    /** A request for more does not wait. */
    private static final int FEW = 16;

    private final TransferSteering steering;
    private final Audit audit;
    private final EndWaits endWaits;

    /** @param events takes what is to run after each event of the node */
    public SteeringPages(TransferSteering steering, Audit audit, Consumer<Runnable> events) {
        this(steering, audit, events, END_LIMIT);
    }

    SteeringPages(TransferSteering steering, Audit audit, Consumer<Runnable> events, Duration endLimit) {
        this.steering = steering;
        this.audit = audit;
        this.endWaits = new EndWaits(steering, events, endLimit);
    }

    /** What POST does, by path. */
    public Map<String, AdminPage> pages() {
        Map<String, AdminPage> all = new LinkedHashMap<>();
        steering.actions().forEach(action -> all.put(action.path(), new Page(action)));
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
        public Answer get(Map<String, String> query) {
            throw new IllegalStateException("an action is answered later");
        }

        @Override
        public CompletionStage<Answer> answer(Map<String, String> query, Caller caller, Executor later)
                throws IOException {
            List<SteeringFilter> filters = SteeringFilter.of(query);
            SteeringCommand command = new SteeringCommand(action, priority(query), caller.name());
            boolean dryRun = Boolean.parseBoolean(query.getOrDefault("dryRun", "false"));
            Meant meant = meant(filters, action, caller);
            return dryRun
                    ? CompletableFuture.completedFuture(json(meant.wouldBe(action)))
                    : steer(meant, command, later).thenApply(this::json);
        }

        private Answer json(SteeringResult result) {
            boolean complete = result.skipped().isEmpty()
                    && result.changed().stream().noneMatch(each -> each.now().equals(EndWaits.CANCELLING));
            return Answer.json(complete ? 200 : 202, result);
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

    /** Which transfers are meant, by key, and which of these are left out. */
    private record Meant(Map<String, TransferStatus> wanted, List<SteeringResult.Skipped> skipped) {
        SteeringResult wouldBe(SteeringAction action) {
            return new SteeringResult(
                    true,
                    wanted.values().stream()
                            .map(each -> changed(each, SteeringResult.WOULD_BE + action.done()))
                            .toList(),
                    skipped);
        }
    }

    private Meant meant(List<SteeringFilter> filters, SteeringAction action, Caller caller) throws IOException {
        Map<String, TransferStatus> wanted = new LinkedHashMap<>();
        List<SteeringResult.Skipped> skipped = new ArrayList<>();
        for (SteeringFilter filter : filters) {
            List<TransferStatus> found = visible(filter, caller);
            if (found.isEmpty() && filter.isOfOne()) {
                if (filters.size() == 1) {
                    throw new IllegalArgumentException("this node knows no transfer " + filter.key()
                            + "; 'hawser status' shows those that it knows");
                }
                skipped.add(new SteeringResult.Skipped(filter.key(), "this node does not know it"));
            }
            for (TransferStatus each : found) {
                skip(action, each, caller).ifPresentOrElse(skipped::add, () -> wanted.put(each.key(), each));
            }
        }
        return new Meant(wanted, skipped);
    }

    /** Why it is left out; empty if it is not. */
    private Optional<SteeringResult.Skipped> skip(SteeringAction action, TransferStatus status, Caller caller) {
        Topic topic = new Topic(status.object().topic());
        return caller.access().grants().allow(Right.ADMIN, topic)
                ? steering.whyNot(action, status)
                        .map(why -> new SteeringResult.Skipped(
                                status.key(), why, steering.commandElsewhere(action, status)))
                : Optional.of(
                        new SteeringResult.Skipped(status.key(), caller.access().refusal(Right.ADMIN, topic)));
    }

    private CompletionStage<SteeringResult> steer(Meant meant, SteeringCommand command, Executor later) {
        List<String> keys = List.copyOf(meant.wanted().keySet());
        return steering.apply(command, keys)
                .thenComposeAsync(
                        done -> {
                            meant.wanted().values().forEach(each -> note(command, each, problem(done, each)));
                            return states(command.action(), keys, later)
                                    .thenApply(now -> result(meant, command, done, now));
                        },
                        later);
    }

    private static String problem(Map<String, String> done, TransferStatus each) {
        return done.getOrDefault(each.key(), "it was not done in time; ask again");
    }

    private void note(SteeringCommand command, TransferStatus each, String problem) {
        audit.note(
                command.by(),
                command.action().word(),
                each.object().topic() + "/" + each.object().name() + " " + each.key(),
                "admin",
                problem.isEmpty() ? Audit.OK : problem);
    }

    private static SteeringResult result(
            Meant meant, SteeringCommand command, Map<String, String> done, Map<String, String> now) {
        List<SteeringResult.Changed> changed = new ArrayList<>();
        List<SteeringResult.Skipped> skipped = new ArrayList<>(meant.skipped());
        for (TransferStatus before : meant.wanted().values()) {
            String problem = problem(done, before);
            if (problem.isEmpty()) {
                changed.add(changed(before, after(command.action(), before, now)));
            } else {
                skipped.add(new SteeringResult.Skipped(before.key(), problem));
            }
        }
        return new SteeringResult(false, changed, skipped);
    }

    /** What it is now. A state that stays the same, as with another priority, does not say that something was done. */
    private static String after(SteeringAction action, TransferStatus before, Map<String, String> now) {
        String state = now.getOrDefault(before.key(), action.done());
        boolean saysNothing = action != SteeringAction.CANCEL && state.equals(before.state());
        return saysNothing || action == SteeringAction.DROP ? action.done() : state;
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
        return found;
    }

    /** The states after it, by key; of few transfers when they have ended, or after a while. */
    private CompletionStage<Map<String, String>> states(SteeringAction action, List<String> keys, Executor later) {
        if (keys.size() <= FEW) {
            return endWaits.states(keys, later);
        }
        String state = action == SteeringAction.CANCEL ? EndWaits.CANCELLING : action.done();
        Map<String, String> states = new LinkedHashMap<>();
        keys.forEach(key -> states.put(key, state));
        return CompletableFuture.completedFuture(states);
    }
}
