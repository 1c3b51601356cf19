package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A {@link SteerCommand} that takes nothing but the transfers' keys. */
abstract class SteerKeysCommand extends SteerCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "KEY",
            description = "a transfer's key, or the end of it that 'hawser status' shows")
    private List<String> keys = List.of();

    SteerKeysCommand(SteeringAction action) {
        super(action);
    }

    @Override
    final List<String> transfers() {
        return keys;
    }
}
