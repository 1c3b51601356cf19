package io.hawser.agenta;

import io.hawser.agenta.account.LoginCounts;
import io.hawser.agenta.download.DownloadService;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.core.hop.HopSender;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodeMetrics.Sample;
import io.hawser.ops.observe.Recent;
import io.hawser.ops.observe.SampledMetrics;
import io.hawser.ops.observe.TransferCounters;
import io.hawser.store.spool.Spool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of agent-a: its spool, its hop to the broker, its clients.
 *
 * <p>Thread: the admin thread; it asks the loop.
 *
 * @param spool what waits there
 * @param sender the hop to the broker
 * @param broker whether there is a session
 * @param ftp the sessions of clients
 * @param logins of all fronts
 * @param downloads of all fronts
 * @param surveys what is in the spool
 */
record AgentAMetrics(
        Spool spool,
        HopSender sender,
        ConnectionState broker,
        FtpServer ftp,
        LoginCounts logins,
        DownloadService downloads,
        Recent<SpoolSurvey> surveys) {
    /** What the loop knows. */
    private record Now(
            TransferCounters transfers,
            Hop hop,
            Map<LoginCounts.Row, Long> logins,
            int ftpSessions,
            long downloadedBytes) {}

    private record Hop(long inFlightBytes, long creditBytes, long sentBytes, long resentBytes, int unfinished) {}

    void add(NodeMetrics metrics, NodeThreads net) {
        SampledMetrics<Now> now = metrics.of(() -> net.onLoop(this::now));
        TransferCounters.addAccepted(now, Now::transfers);
        addSpool(metrics.of(surveys));
        addHop(now);
        addClients(now);
        metrics.gauge(
                "hawser_broker_connected",
                "1 while there is a session with the broker, else 0.",
                () -> broker.isConnected() ? 1 : 0);
    }

    private static void addSpool(SampledMetrics<SpoolSurvey> survey) {
        survey.gauge("hawser_spool_transfers", "Transfers that the spool knows.", SpoolSurvey::transfers)
                .gauge(
                        "hawser_spool_transfers_without_right",
                        "Accepted transfers that wait for a right at the broker.",
                        SpoolSurvey::withoutRight)
                .gauge(
                        "hawser_spool_refused_transfers",
                        "Accepted transfers that were refused for good and will not arrive.",
                        SpoolSurvey::refused)
                .gauge(
                        "hawser_spool_failed_transfers",
                        "Accepted transfers that are known to have failed at a subscription.",
                        SpoolSurvey::failed)
                .gauge("hawser_spool_used_bytes", "Content that the spool holds.", from -> from.usage()
                        .contentBytes())
                .gauge("hawser_spool_available_bytes", "What the spool could take now.", from -> from.usage()
                        .availableBytes())
                .gauge("hawser_spool_stalled_uploads", "Uploads that wait for space.", from -> from.usage()
                        .stalledUploads())
                .gauge(
                        "hawser_spool_damaged_transfers",
                        "Transfers that cannot be sent, since the disk has damaged their bytes.",
                        from -> from.usage().damaged())
                .gauges(
                        "hawser_longest_idle_seconds",
                        "The longest that something has waited here: to get to the broker, or for its receipts.",
                        from -> List.of(new Sample(
                                Map.of("hop", "out"),
                                from.longestIdleMillis() / (double) TimeUnit.SECONDS.toMillis(1))));
    }

    private static void addHop(SampledMetrics<Now> now) {
        now.gauge("hawser_hop_in_flight_bytes", "Bytes on their way to the broker and not acked.", from -> from.hop()
                        .inFlightBytes())
                .gauge(
                        "hawser_hop_credit_bytes",
                        "The broker's credit: the most that may be on its way.",
                        from -> from.hop().creditBytes())
                .gauge(
                        "hawser_hop_unfinished_transfers",
                        "Transfers that the broker has not committed.",
                        from -> from.hop().unfinished())
                .counter(
                        "hawser_sent_bytes_total",
                        "Payload bytes that the broker was sent, repetitions included.",
                        from -> from.hop().sentBytes())
                .counter("hawser_resent_bytes_total", "Payload bytes that were sent again.", from -> from.hop()
                        .resentBytes());
    }

    private static void addClients(SampledMetrics<Now> now) {
        now.gauge("hawser_ftp_sessions", "Control connections of FTP and GridFTP clients.", Now::ftpSessions)
                .counters(
                        "hawser_logins_total",
                        "Logins of clients by protocol and outcome.",
                        from -> from.logins().entrySet().stream()
                                .map(each -> new Sample(
                                        Map.of(
                                                "protocol",
                                                each.getKey().protocol(),
                                                "outcome",
                                                each.getKey().outcome()),
                                        each.getValue()))
                                .toList())
                .counter(
                        "hawser_downloaded_bytes_total",
                        "Bytes of files that clients were sent.",
                        Now::downloadedBytes);
    }

    private Now now() {
        return new Now(
                TransferCounters.of(spool.counts()),
                new Hop(
                        sender.inFlightBytes(),
                        sender.windowBytes(),
                        sender.meter().sentBytes(),
                        sender.meter().resentBytes(),
                        sender.size()),
                logins.all(),
                ftp.sessionCount(),
                downloads.sentBytes());
    }
}
