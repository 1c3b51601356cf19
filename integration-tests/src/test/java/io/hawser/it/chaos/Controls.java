package io.hawser.it.chaos;

import io.hawser.it.ledger.Ledger;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The controls of a run: before it, the oracle is shown a delivery that is right and one of each kind of damage, and must call each by its
 * name. Thread: one.
 */
final class Controls {
    private static final String RIGHT = "right";
    private static final String PATH = "p/o-1";

    private Controls() {}

    private interface Damage {
        void on(PlantedDeliveries planted) throws Exception;
    }

    /** By control, whether the oracle said what it must. */
    static Map<String, Boolean> run(Path directory) throws Exception {
        Map<String, Damage> damages = Map.of(
                RIGHT,
                planted -> planted.delivered(PATH, "whole"),
                "lost",
                planted -> {
                    planted.acked(PATH, "whole");
                    planted.publish("b1", PATH, "whole");
                },
                "corrupt",
                planted -> {
                    planted.sentAgain(planted.delivered(PATH, "whole"));
                    planted.publish("b1", PATH, "wh");
                },
                "duplicated",
                planted -> {
                    planted.delivered(PATH, "whole");
                    planted.publish("b2", PATH, "whole");
                },
                "order",
                planted -> {
                    Ledger.Version version = planted.delivered(PATH, "whole");
                    planted.delivered(PATH, "later");
                    planted.sentAgain(version);
                    planted.publish("b1", PATH, "whole");
                });
        Map<String, Boolean> verdicts = new TreeMap<>();
        for (Map.Entry<String, Damage> damage : damages.entrySet()) {
            String name = damage.getKey();
            try (PlantedDeliveries planted = new PlantedDeliveries(directory.resolve(name))) {
                damage.getValue().on(planted);
                verdicts.put(name, planted.judge().equals(name.equals(RIGHT) ? Set.of() : Set.of(name)));
            }
        }
        return verdicts;
    }
}
