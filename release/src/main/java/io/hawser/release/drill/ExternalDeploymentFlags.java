package io.hawser.release.drill;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.Topic;
import io.hawser.ops.cli.CommonNodeFlags;
import io.hawser.release.process.ProcessChain.Part;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What was said of a running deployment, and the rule that goes with it: a fault is done only to a node that was pointed at, and only if it
 * is known how that node comes back.
 *
 * @param admins {@code --admin}, {@code NODE=HOST:PORT} each
 * @param pids {@code --pid}, {@code NODE=PID} or {@code NODE=COMMAND} each
 * @param kills {@code --kill-command}, {@code NODE=COMMAND} each
 * @param restarts {@code --restart}, {@code NODE=COMMAND} each
 */
record ExternalDeploymentFlags(
        Map<Part, String> admins, Map<Part, String> pids, Map<Part, String> kills, Map<Part, String> restarts) {
    static ExternalDeploymentFlags of(
            List<String> admins, List<String> pids, List<String> kills, List<String> restarts) {
        return new ExternalDeploymentFlags(
                NodeFlags.values("--admin", admins),
                NodeFlags.values("--pid", pids),
                NodeFlags.values("--kill-command", kills),
                NodeFlags.values("--restart", restarts));
    }

    /** Demands that nothing was given that only a running deployment has. */
    void requireNone(Config config) {
        Set<String> flags = new TreeSet<>();
        for (ConfigKey<?> key :
                List.of(DrillKeys.INTO_DIR, DrillKeys.PASSWORD_FILE, DrillKeys.FTP_TLS, CommonNodeFlags.TLS)) {
            config.find(key).ifPresent(value -> flags.add(key.flag()));
        }
        flag(flags, "--admin", admins);
        flag(flags, "--pid", pids);
        flag(flags, "--kill-command", kills);
        flag(flags, "--restart", restarts);
        if (!flags.isEmpty()) {
            throw new ConfigException(
                    String.join(", ", flags)
                            + ": this is about a deployment that runs; say which one with --ftp HOST:PORT or --broker HOST:PORT");
        }
    }

    private static void flag(Set<String> flags, String name, Map<Part, String> values) {
        if (!values.isEmpty()) {
            flags.add(name);
        }
    }

    /** The deployment. Throws ConfigException with all that is wrong. */
    ExternalDeploymentSettings pointed(Config config, DrillSettings settings, Map<String, String> environment) {
        List<String> problems = new ArrayList<>();
        if (config.find(DrillKeys.FTP).isEmpty()
                && config.find(DrillKeys.INTO_DIR).isEmpty()) {
            problems.add(
                    "--broker alone shows nothing of what arrives, and cannot take it away: give --ftp HOST:PORT of"
                            + " agent-a, or --into-dir DIR");
        }
        settings.faults().kills().forEach(node -> checkKill(node, settings, problems));
        settings.faults().pauses().forEach(node -> checkPause(node, problems));
        checkUse(settings, problems);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new ExternalDeploymentSettings(
                config.find(DrillKeys.FTP).map(address -> FtpFlags.account(address, config, environment)),
                config.find(DrillKeys.BROKER)
                        .map(address -> new ApiAccess(
                                address,
                                DrillKeys.TOPIC
                                        .parsed(config.get(DrillKeys.TOPIC), Topic::new)
                                        .name(),
                                config.find(CommonNodeFlags.TLS).orElse(null))),
                config.find(DrillKeys.INTO_DIR),
                config.find(CommonNodeFlags.TLS),
                convert(admins, ExternalDeploymentFlags::address),
                convert(pids, entry -> new PidSource(entry.getKey(), entry.getValue())),
                kills,
                restarts);
    }

    private void checkKill(Part part, DrillSettings settings, List<String> problems) {
        String node = part.command();
        String pid = pids.get(part);
        if (pid == null && !kills.containsKey(part)) {
            problems.add("--kill " + node + ": the drill did not start that " + node
                    + " and does nothing to it unless it is pointed at: give --pid " + node
                    + "=PID (a number, or a command that prints it) or --kill-command " + node + "=COMMAND");
        }
        if (!restarts.containsKey(part)) {
            problems.add("--kill " + node + ": give --restart " + node
                    + "=COMMAND, which starts it again ('true' if somebody else does that by himself)");
        }
        boolean once = settings.faults().times() > 0
                && settings.faults().times()
                        <= settings.faults().kills().size()
                                + settings.faults().pauses().size()
                && !settings.faults().pauses().contains(part);
        if (pid != null && !kills.containsKey(part) && new PidSource(part, pid).isNumber() && !once) {
            problems.add("--pid " + node + "=" + pid + " is one process, which can be killed once: give a command that"
                    + " prints the pid of the " + node + ", such as 'systemctl show -p MainPID --value hawser-" + node
                    + "', or fewer --times");
        }
    }

    private void checkPause(Part part, List<String> problems) {
        if (!pids.containsKey(part)) {
            problems.add("--pause " + part.command() + ": the drill did not start that " + part.command()
                    + " and does nothing to it unless it is pointed at: give --pid " + part.command()
                    + "=PID (a number, or a command that prints it)");
        }
    }

    /** What is given and has no use is a misunderstanding that is better cleared up before anybody is killed. */
    private void checkUse(DrillSettings settings, List<String> problems) {
        for (Part part : Part.values()) {
            boolean kill = settings.faults().kills().contains(part);
            if (pids.containsKey(part) && !kill && !settings.faults().pauses().contains(part)) {
                problems.add("--pid " + part.command() + ": neither --kill nor --pause names it");
            }
            if ((kills.containsKey(part) || restarts.containsKey(part)) && !kill) {
                problems.add((kills.containsKey(part) ? "--kill-command " : "--restart ") + part.command()
                        + ": --kill does not name it");
            }
        }
    }

    private static HostPort address(Map.Entry<Part, String> entry) {
        try {
            return HostPort.parse(entry.getValue());
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--admin: " + e.getMessage());
        }
    }

    private static <T> Map<Part, T> convert(Map<Part, String> from, Function<Map.Entry<Part, String>, T> value) {
        Map<Part, T> to = new EnumMap<>(Part.class);
        from.entrySet().forEach(entry -> to.put(entry.getKey(), value.apply(entry)));
        return to;
    }
}
