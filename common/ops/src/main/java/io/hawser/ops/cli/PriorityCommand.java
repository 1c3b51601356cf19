package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.steer.SteeringAction;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hawser priority}. */
@Command(
        name = "priority",
        header = "Let transfers go before others.",
        description = {
            "Those of a higher priority are sent first by agent-a, or by the broker for each subscription among the next that it sends. 5 is usual."
                    + " Transfers of one path keep their order."
        },
        footer = {"", "Example:  hawser priority 9 1b4e28ba2fa111d2883f0016d3cca427-01936f5c7a3e71d2b0c4a5d6e7f80910"})
public final class PriorityCommand extends SteerCommand {
    @Parameters(index = "0", paramLabel = "N", description = "1 (last) to 9 (first)")
    private String priority = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "KEY", description = "a transfer's key")
    private List<String> keys = List.of();

    public PriorityCommand() {
        super(SteeringAction.PRIORITY);
    }

    @Override
    List<String> transfers() {
        return keys;
    }

    @Override
    Map<String, String> parameters() {
        return Map.of("to", priority);
    }

    @Override
    protected void check() {
        if (!priority.matches("[1-9]")) {
            throw new ConfigException("a priority is 1 (last) to 9 (first), not '" + priority + "'");
        }
        super.check();
    }
}
