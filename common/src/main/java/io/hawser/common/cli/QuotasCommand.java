package io.hawser.common.cli;

import io.hawser.common.config.ByteSize;
import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.config.HostPort;
import io.hawser.common.observe.Json;
import io.hawser.common.observe.QuotaLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code hawser quotas}: how far the quotas of tenants are used.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "quotas",
        description = {
            "Shows how far each quota of the broker's --acl file is used: bytes that are kept or promised, and transfers that are"
                    + " open or that somebody has yet to get."
        },
        footer = {
            "",
            "Example:  hawser quotas",
            "          hawser quotas --broker-admin broker.example:7480 --tls keys --json"
        })
public final class QuotasCommand implements HawserCommand {
    private static final ConfigKey<HostPort> BROKER_ADMIN =
            ConfigKey.hostPort("broker-admin", "127.0.0.1:7480", "the admin address of the broker");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(BROKER_ADMIN, NodeKeys.ADMIN_TOKEN, NodeKeys.TLS);
    }

    @Override
    public void configure(Config values) {
        config = values;
    }

    @Override
    public Integer call() throws IOException {
        byte[] body = AdminClient.of(config, BROKER_ADMIN).get("/quotas", Map.of());
        List<QuotaLine> quotas = Json.readList(body, QuotaLine.class);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.text(quotas));
        } else if (quotas.isEmpty()) {
            out.println("no quotas; the lines of the broker's --acl file set them");
        } else {
            quotas.forEach(each -> out.println(line(each)));
        }
        out.flush();
        return ExitCode.OK.code();
    }

    private static String line(QuotaLine quota) {
        return quota.who() + " on " + String.join(",", quota.topics()) + "  "
                + ByteSize.human(quota.usedBytes() + quota.reservedBytes())
                + of(quota.limitBytes(), ByteSize.human(quota.limitBytes())) + "  "
                + quota.transfers() + of(quota.limitTransfers(), Long.toString(quota.limitTransfers())) + " transfers";
    }

    private static String of(long limit, String text) {
        return limit == QuotaLine.NO_LIMIT ? "" : " of " + text;
    }
}
