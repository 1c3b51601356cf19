package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.core.model.Printable;
import io.hawser.ops.observe.Json;
import io.hawser.ops.steer.SteeringAction;
import io.hawser.ops.steer.SteeringResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * A command that asks a node to do one thing with transfers: those whose keys are given, or all that the options select. Exit code 7 if a cancel has
 * yet to be answered by a far end.
 */
abstract class SteerCommand extends AdminCommand {
    private static final String CANCELLING = "cancelling";

    private final SteeringAction action;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "all transfers of this topic")
    private String topic = "";

    @Option(
            names = "--name",
            paramLabel = "GLOB",
            description = "all whose names match: * within a directory, ** across, ?")
    private String name = "";

    @Option(names = "--state", paramLabel = "STATE", description = "all in this state, as 'hawser status' shows it")
    private String state = "";

    @Option(names = "--dry-run", description = "say what would be done, and do nothing")
    private boolean dryRun;

    SteerCommand(SteeringAction action) {
        super(ANY_ADMIN);
        this.action = action;
    }

    /** The keys that were given. */
    abstract List<String> transfers();

    /** Further parameters of the request. */
    Map<String, String> parameters() {
        return Map.of();
    }

    @Override
    protected void check() {
        boolean selects = !(topic.isEmpty() && name.isEmpty() && state.isEmpty());
        if (selects == !transfers().isEmpty()) {
            throw new ConfigException(
                    selects
                            ? "give KEYs, or --topic, --name or --state, not both"
                            : "which transfers? Give their KEYs, or --topic, --name or --state");
        }
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        List<SteeringResult.Changed> changed = new ArrayList<>();
        List<SteeringResult.Skipped> skipped = new ArrayList<>();
        for (Map<String, String> which : requests(client)) {
            which.putAll(parameters());
            which.put("dryRun", Boolean.toString(dryRun));
            SteeringResult answer = Json.read(client.post(action.path(), which), SteeringResult.class);
            changed.addAll(answer.changed());
            skipped.addAll(answer.skipped());
        }
        SteeringResult all = new SteeringResult(dryRun, changed, skipped);
        show(all, out -> print(all, out));
        if (!skipped.isEmpty()) {
            throw new CommandException(
                    ExitCode.REFUSED,
                    skipped.size() + " not " + action.done() + ", of " + (changed.size() + skipped.size()));
        }
        long pending =
                changed.stream().filter(each -> each.now().equals(CANCELLING)).count();
        if (pending > 0) {
            throw new CommandException(
                    ExitCode.NOT_YET,
                    pending + " of " + changed.size()
                            + " may be at a far end, which has yet to say whether it was faster; 'hawser status' shows it");
        }
    }

    private List<Map<String, String>> requests(AdminClient client) throws IOException {
        if (transfers().isEmpty()) {
            return List.of(new LinkedHashMap<>(Map.of("topic", topic, "name", name, "state", state)));
        }
        List<Map<String, String>> requests = new ArrayList<>();
        for (String key : transfers()) {
            requests.add(new LinkedHashMap<>(Map.of("key", TransferKeys.resolve(client, key))));
        }
        return requests;
    }

    private static void print(SteeringResult result, PrintWriter out) {
        for (SteeringResult.Changed each : result.changed()) {
            out.println(Printable.text(each.now() + ": " + each.name() + " on " + each.topic() + " (was " + each.was()
                    + ") " + each.key()));
        }
        for (SteeringResult.Skipped each : result.skipped()) {
            out.println(Printable.text("skipped: " + each.key() + ": " + each.reason()));
        }
        if (result.changed().isEmpty() && result.skipped().isEmpty()) {
            out.println("no such transfers");
        }
    }
}
