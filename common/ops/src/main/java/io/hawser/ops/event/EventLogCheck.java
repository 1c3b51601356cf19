package io.hawser.ops.event;

import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Finding.Severity;
import io.hawser.store.check.Findings;
import io.hawser.store.log.LogCheck;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;

/**
 * Checks the event log of a node that does not run: each record, each seal, and that the numbers of its events ascend. The history's index
 * is not checked: the node makes it again from the events at any doubt.
 *
 * <p>Thread: its creator.
 */
public final class EventLogCheck {
    private static final String COST =
            "No transfer depends on it: only the events in it are lost, for the history and for receivers that have not had them.";

    private final CheckContext context;
    private final Path directory;
    private final Findings ofLog;
    private long events;
    /** The number of the next event; 0 before the first. */
    private long next;

    private EventLogCheck(CheckContext context) {
        this.context = context;
        this.directory = EventLog.directoryIn(context.directory());
        this.ofLog = new Findings(this::tell, bytes -> {});
    }

    /** Checks it if the node's directory has one. */
    public static void check(CheckContext context) throws StorageException {
        EventLogCheck check = new EventLogCheck(context);
        if (context.storage().facts(EventLog.segmentsIn(check.directory)) != null) {
            check.run();
        }
    }

    private void run() throws StorageException {
        LogCheck log =
                new LogCheck(context.storage(), EventLog.segmentsIn(directory), NodeDirectory.MAX_EPOCH, true, ofLog);
        log.run(this::record);
        Findings findings = context.findings();
        findings.read(ofLog.readBytes());
        findings.counted("event segments", ofLog.counts().getOrDefault("segments", 0L));
        findings.counted("events", events);
        if (context.storage().facts(directory.resolve(History.INDEX)) != null) {
            findings.counted("history index not checked (the node makes it again from the events at any doubt)", 1);
        }
    }

    private void record(LogRecord record) throws StorageException {
        EventCodec.Batch batch = EventCodec.decode(record);
        if (record.index() < next) {
            throw new CorruptRecordException("the record at " + record.position() + " begins with event "
                    + record.index() + ", and events before it had numbers up to " + (next - 1));
        }
        if (next > 0 && record.index() > next) {
            context.findings()
                    .note(
                            "events.gap",
                            EventLog.segmentsIn(directory) + " at " + record.position(),
                            0,
                            "Events " + next + " to " + (record.index() - 1)
                                    + " are not there: they were lost, or are in what is damaged. No transfer depends on them.",
                            "Nothing: receivers are told of the gap.");
        }
        events += batch.events().size();
        next = record.index() + batch.events().size();
    }

    /** The log's finding, with what it means for events. */
    private void tell(Finding found) {
        String kind = found.kind().replaceFirst("^log\\.", "events.");
        if (found.severity() == Severity.NOTE) {
            context.findings().note(kind, found.place(), found.bytes(), found.meaning(), found.advice());
            return;
        }
        context.findings()
                .damage(
                        kind,
                        found.place(),
                        found.bytes(),
                        found.meaning() + " " + COST,
                        "Check the disk (dmesg, smartctl). If the node does not start with it, move " + directory
                                + " away: it starts without history.");
    }
}
