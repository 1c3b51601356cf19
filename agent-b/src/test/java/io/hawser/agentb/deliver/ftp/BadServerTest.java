package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ftp.DeliverySessions.Weight;
import io.hawser.core.ftp.AddressRanges;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that misbehave, written for that. */
class BadServerTest {
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final int PATCH_BYTES = 5;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private final List<String> commands = Collections.synchronizedList(new ArrayList<>());
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());

    @SuppressWarnings("NullAway.Init") // see open
    private ServerSocket control;

    @SuppressWarnings("NullAway.Init") // see open
    private ServerSocket data;

    @BeforeEach
    void open() throws IOException {
        control = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        data = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        control.close();
        data.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private TargetRig rig() throws IOException {
        return new TargetRig(
                directory, "ftp://127.0.0.1:" + control.getLocalPort() + "/in", TargetRig.withSilence(SILENCE));
    }

    private DeliveryOutcome.Later attempt(TargetRig rig, String name, int sizeBytes) throws Exception {
        VerifiedObject object = rig.object(name, sizeBytes);
        long before = System.nanoTime();
        DeliveryOutcome result = rig.attempt(object);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
        assertThat(result).isInstanceOf(DeliveryOutcome.Later.class);
        return (DeliveryOutcome.Later) result;
    }

    /** Answers commands; {@code answer} gives the replies, an empty one being silence. */
    private void serve(java.util.function.UnaryOperator<String> answer) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Socket socket = control.accept();
                    sockets.add(socket);
                    Thread talk = new Thread(() -> talk(socket, answer));
                    talk.setDaemon(true);
                    talk.start();
                }
            } catch (IOException e) {
                commands.add("(end)");
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void talk(Socket socket, java.util.function.UnaryOperator<String> answer) {
        try {
            PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
            out.print("220 hello\r\n");
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                commands.add(line);
                String reply = answer.apply(line.split(" ")[0]);
                if (!reply.isEmpty()) {
                    out.print(reply + "\r\n");
                }
            }
        } catch (IOException e) {
            commands.add("(hung up)");
        }
    }

    private String usual(String verb) {
        return switch (verb) {
            case "USER" -> "331 password";
            case "PASS" -> "230 in";
            case "FEAT" -> "211-Features\r\n SIZE\r\n211 End";
            case "PWD" -> "257 \"/\"";
            case "SIZE" -> "550 no such file";
            case "PASV" -> "227 (10,9,8,7," + data.getLocalPort() / 256 + "," + data.getLocalPort() % 256 + ")";
            case "STOR" -> "150 go";
            default -> "200 ok";
        };
    }

    @Test
    void aServerThatAcceptsAndSaysNothingIsNoticed() throws Exception {
        try (TargetRig rig = rig()) {
            assertThat(attempt(rig, "x", 10).reason()).containsPattern("(?i)time");
        }
    }

    @Test
    void aServerThatTakesNoDataIsNoticed() throws Exception {
        serve(this::usual); // the data connection is accepted by the kernel and read by nobody
        try (TargetRig rig = rig()) {
            assertThat(attempt(rig, "x", 64 << 20).reason()).contains("took nothing");
        }
        assertThat(commands).contains("STOR /in/.hawser-00000000000000030000000000000001");
    }

    @Test
    void aServerThatForgetsTheFinalReplyIsNoticed() throws Exception {
        serve(this::usual);
        try (TargetRig rig = rig()) {
            assertThat(attempt(rig, "x", 10).reason()).containsAnyOf("time limit", "said nothing", "sent nothing");
        }
    }

    @Test
    void theHostThatA227NamesIsNotDialled() throws Exception {
        serve(this::usual);
        data.setSoTimeout(60_000);
        ExecutorService delivery = Executors.newSingleThreadExecutor();
        try (TargetRig rig = rig()) {
            Future<DeliveryOutcome.Later> attempt = delivery.submit(() -> attempt(rig, "x", 10));
            sockets.add(data.accept()); // and not 10.9.8.7
            attempt.get();
        } finally {
            delivery.shutdown();
        }
    }

    /** Blocks of MODE E go where the server says, within what the operator allowed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHostForDataThatNobodyAllowedIsNotDialled(boolean isAllowed) throws Exception {
        serve(verb -> verb.equals("PASV") ? "227 (127,0,0,2,0,9)" : usual(verb));
        FarOptions options = TargetRig.withSilence(SILENCE)
                .withDataHosts(isAllowed ? AddressRanges.parse("127.0.0.0/8") : AddressRanges.NONE);
        try (TargetRig rig =
                new TargetRig(directory, "gridftp://127.0.0.1:" + control.getLocalPort() + "/in", options)) {
            String reason = attempt(rig, "x", 10).reason();

            assertThat(reason.contains("names the host 127.0.0.2 for its data"))
                    .as(reason)
                    .isEqualTo(!isAllowed);
        }
        assertThat(commands).contains("PASV");
    }

    @Test
    void whatTheServerSaysIsTold() throws Exception {
        serve(verb -> verb.equals("STOR") ? "552 Disk quota exceeded" : usual(verb));
        try (TargetRig rig = rig()) {
            assertThat(attempt(rig, "x", 10).reason()).contains("552 Disk quota exceeded");
        }
    }

    @Test
    void aRefusedLoginIsNotRepeatedAtOnceAndTheSecretIsNotTold() throws Exception {
        serve(verb -> verb.equals("PASS") ? "530 no" : usual(verb));
        try (TargetRig rig = rig()) {
            String reason = attempt(rig, "x", 10).reason();
            assertThat(reason).contains("--into-password-file").doesNotContain("a@b");

            attempt(rig, "y", 10);

            assertThat(commands.stream().filter(line -> line.startsWith("USER")))
                    .hasSize(1);
            assertThat(rig.target().problem()).isEqualTo(reason);
        }
    }

    @Test
    void aServerWithoutTlsGetsNoPassword() throws Exception {
        serve(verb -> verb.equals("AUTH") ? "502 no" : usual(verb));
        try (TargetRig rig = new TargetRig(
                directory, "ftps://127.0.0.1:" + control.getLocalPort() + "/in", TargetRig.withSilence(SILENCE))) {
            assertThat(attempt(rig, "x", 10).reason()).contains("AUTH");
        }
        assertThat(commands).containsExactly("AUTH TLS");
    }

    @Test
    void thatTheAccountIsRefusedIsKnownBeforeTheFirstFile() throws Exception {
        serve(verb -> verb.equals("PASS") ? "530 no" : usual(verb));
        try (TargetRig rig = rig()) {
            rig.target().watchServer();

            await().until(() -> rig.target().problem().contains("--into-password-file"));
        }
    }

    @Test
    void thatNobodyListensIsKnownBeforeTheFirstFile() throws Exception {
        try (TargetRig rig = rig()) {
            control.close();
            rig.target().watchServer();

            await().until(() -> rig.target().problem().contains("cannot connect"));
        }
    }

    @Test
    void thatItIsSilentIsKnownBeforeTheFirstFileAndThatItSpeaksAgain() throws Exception {
        try (TargetRig rig = rig()) {
            rig.target().watchServer();
            await().until(() -> rig.target().problem().toLowerCase(Locale.ROOT).contains("time"));

            serve(this::usual);

            await().until(() -> rig.target().problem().isEmpty());
        }
        assertThat(commands).contains("NOOP");
    }

    private DeliverySessions sessions() {
        FarServer server = FarServer.parse("ftp://127.0.0.1:" + control.getLocalPort() + "/in");
        return new DeliverySessions(server, TargetRig.withSilence(SILENCE), () -> LoginSecurity.NONE);
    }

    private long logins() {
        return commands.stream().filter(line -> line.startsWith("USER")).count();
    }

    private static void noop(FarSession session) throws IOException {
        session.client().command("NOOP", null);
    }

    @Test
    void aServerThatIsBeingDeliveredToIsNotLookedAtWithAnotherLogin() throws Exception {
        serve(this::usual);
        try (DeliverySessions sessions = sessions()) {
            sessions.with(Weight.DELIVERY, session -> sessions.probe(Duration.ZERO));

            assertThat(logins()).isEqualTo(1);
            sessions.probe(Duration.ZERO);
            assertThat(commands).contains("NOOP");
        }
    }

    @Test
    void aServerThatIsBeingDialledIsNotLookedAtWithAnotherLogin() throws Exception {
        AtomicReference<DeliverySessions> dialling = new AtomicReference<>();
        serve(verb -> {
            if (verb.equals("PASS") && logins() == 1) {
                dialling.get().probe(Duration.ZERO);
            }
            return usual(verb);
        });
        try (DeliverySessions sessions = sessions()) {
            dialling.set(sessions);
            sessions.with(Weight.DELIVERY, BadServerTest::noop);

            assertThat(logins()).isEqualTo(1);
        }
    }

    @Test
    void whatEndsInAnOldSessionDoesNotCutTheRestOfARefusedAccountShort() throws Exception {
        AtomicInteger passwords = new AtomicInteger();
        serve(verb -> verb.equals("PASS") && passwords.incrementAndGet() > 1 ? "530 no more" : usual(verb));
        try (DeliverySessions sessions = sessions()) {
            sessions.with(Weight.DELIVERY, session -> {
                assertThatThrownBy(() -> sessions.with(Weight.DELIVERY, BadServerTest::noop))
                        .isInstanceOf(FarLoginException.class);
            });

            assertThat(sessions.problem()).contains("530");
            sessions.with(Weight.DELIVERY, session -> {
                assertThatThrownBy(() -> sessions.with(Weight.DELIVERY, BadServerTest::noop))
                        .hasMessageContaining("530");
            });
            assertThat(logins()).isEqualTo(2);
        }
    }

    @Test
    void aNodeThatStopsFindsNoFaultWithTheServer() throws Exception {
        control.close();
        try (DeliverySessions sessions = sessions()) {
            sessions.abandon();

            assertThatThrownBy(() -> sessions.with(Weight.DELIVERY, BadServerTest::noop))
                    .isInstanceOf(IOException.class);
            assertThat(sessions.problem()).isEmpty();
        }
    }

    /** How a patch for the file of which {@code told} milliseconds were told, {@code f} for finely, goes where MDTM says {@code now}. */
    private DeliveryOutcome patched(String told, String now) throws Exception {
        serve(verb -> switch (verb) {
            case "SIZE" -> "213 10";
            case "MDTM" -> "213 " + now;
            case "PASV" -> "550 no more, the file is the right one";
            default -> usual(verb);
        });
        try (TargetRig rig = rig()) {
            return rig.attempt(rig.object(
                    TransferKind.PATCH,
                    "x",
                    5,
                    Map.of(
                            Attributes.BASE_SIZE,
                            "10",
                            Attributes.OFFSET,
                            "2",
                            Attributes.BASE_FINGERPRINT,
                            "far:10-" + told)));
        }
    }

    @Test
    void aFileThatWasChangedWithinTheSecondIsNoticedWhereTimesAreFiner() throws Exception {
        assertThat(patched("1577836800250f", "20200101000000.251")).isInstanceOf(DeliveryOutcome.Failed.class);
    }

    @Test
    void aTimeWithoutAFractionIsComparedBySeconds() throws Exception {
        assertThat(patched("1577836800250f", "20200101000000")).isInstanceOf(DeliveryOutcome.Later.class);
    }

    @Test
    void aFractionOfZeroIsOneToo() throws Exception {
        assertThat(patched("1577836800000f", "20200101000000.500")).isInstanceOf(DeliveryOutcome.Failed.class);
    }

    @Test
    void theFirstSecondOf1970IsATimeAsAnyOther() throws Exception {
        assertThat(patched("0", "19700101000000")).isInstanceOf(DeliveryOutcome.Later.class);
    }

    @Test
    void theFirstSecondOf1970IsNotTheNext() throws Exception {
        assertThat(patched("0", "19700101000001")).isInstanceOf(DeliveryOutcome.Failed.class);
    }

    @Test
    void theSameFractionIsTheSameFile() throws Exception {
        assertThat(patched("1577836800250f", "20200101000000.250")).isInstanceOf(DeliveryOutcome.Later.class);
    }

    /** Appends to a file of {@code toldBytes} zeros that the patch knows by its digest; {@code farBytes} are there. */
    private DeliveryOutcome appended(
            int toldBytes, int farBytes, boolean tellsSizes, String timeBefore, String timeAfter) throws Exception {
        serve(verb -> switch (verb) {
            case "FEAT" -> tellsSizes ? usual(verb) : "502 no";
            case "SIZE" -> tellsSizes ? sizeReply(farBytes) : "502 no";
            case "MDTM" -> wasAsked("STOR") ? timeAfter : timeBefore;
            case "RETR" -> transfer(farBytes);
            case "STOR" -> transfer(0);
            case "RNFR" -> "350 to where?";
            default -> usual(verb);
        });
        TreeDigest.Builder leaves = new TreeDigest.Builder();
        if (toldBytes > 0) {
            leaves.add(TreeDigest.leaf(ByteBuffer.allocate(toldBytes)));
        }
        try (TargetRig rig = rig()) {
            return rig.attempt(rig.object(
                    TransferKind.PATCH,
                    "x",
                    PATCH_BYTES,
                    Map.of(
                            Attributes.BASE_SIZE,
                            Integer.toString(toldBytes),
                            Attributes.OFFSET,
                            Integer.toString(toldBytes),
                            Attributes.BASE_DIGEST,
                            leaves.root(toldBytes, 1 << 20).toString())));
        }
    }

    private boolean wasAsked(String verb) {
        synchronized (commands) {
            return commands.stream().anyMatch(line -> line.startsWith(verb));
        }
    }

    private String sizeReply(int farBytes) {
        if (!commands.get(commands.size() - 1).contains("/.hawser-")) {
            return "213 " + farBytes;
        }
        return wasAsked("STOR") ? "213 " + (farBytes + PATCH_BYTES) : "550 no such file";
    }

    /** It was called undeliverable, and dropped with a FAILED receipt, as if nothing of it could be seen. */
    @Test
    void whereTheRenameIsNotAnsweredTheReasonSaysThatTheFileMayBeVisible() throws Exception {
        serve(verb -> switch (verb) {
            case "FEAT" -> "502 no";
            case "SIZE" -> "502 no";
            case "STOR" -> transfer(0);
            case "RNFR" -> "350 to where?";
            case "RNTO" -> "";
            default -> usual(verb);
        });
        try (TargetRig rig = rig()) {
            VerifiedObject object = rig.object("x", 10);
            for (int i = 0; i < 2; i++) {
                TargetRig.assertEnded(rig.attempt(object), DeliveryOutcome.Later.class, "may be there already");
            }
            assertThat(attempt(rig, "y", 10).reason()).contains("may be there already");
        }
        assertThat(wasAsked("RNTO /in/x")).isTrue();
    }

    private VerifiedObject renameOf(TargetRig rig) {
        return rig.operation(TransferKind.RENAME, "x", Map.of(Attributes.RENAMED_TO, "y"), false);
    }

    /** A server that takes the session that it was asked in away with its first answer to {@code verb}, having done what it says. */
    private void serveAndBreakBehind(String verb) {
        AtomicInteger asked = new AtomicInteger();
        serve(command -> {
            boolean done = asked.get() > 0;
            if (command.equals(verb)) {
                if (asked.getAndIncrement() == 0) {
                    closeAll();
                    return "";
                }
                return "550 no such file";
            }
            return switch (command) {
                case "RNFR" -> done ? "550 no such file" : "350 to where?";
                case "SIZE" -> "213 10"; // of what was renamed
                default -> usual(command);
            };
        });
    }

    private void closeAll() {
        synchronized (sockets) {
            for (Socket socket : sockets) {
                try {
                    socket.close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    /** The rename was made anew, and what stands at the new name was deleted for it: that was the file itself. */
    @Test
    void aRenameThatWasMadeInASessionThatBrokeIsNotMadeAgain() throws Exception {
        serveAndBreakBehind("RNTO");
        try (TargetRig rig = rig()) {
            rig.attempt(rig.operation(TransferKind.MAKE_DIRECTORY, "d", Map.of(), false)); // the session is used
            assertThat(rig.attempt(renameOf(rig))).isInstanceOf(DeliveryOutcome.Delivered.class);
        }
        assertThat(logins()).isEqualTo(2);
        assertThat(wasAsked("DELE")).isFalse();
    }

    @Test
    void aRemovalThatWasMadeInASessionThatBrokeHasNotFailed() throws Exception {
        serveAndBreakBehind("DELE");
        try (TargetRig rig = rig()) {
            rig.attempt(rig.operation(TransferKind.MAKE_DIRECTORY, "d", Map.of(), false));
            assertThat(rig.attempt(rig.operation(TransferKind.DELETE, "x", Map.of(), false)))
                    .isInstanceOf(DeliveryOutcome.Delivered.class);
        }
        assertThat(logins()).isEqualTo(2);
    }

    @Test
    void whereNothingIsToBeRenamedWhatStandsAtTheNewNameStays() throws Exception {
        serve(verb -> switch (verb) {
            case "RNFR" -> "550 no such file";
            case "SIZE" -> "213 10";
            default -> usual(verb);
        });
        try (TargetRig rig = rig()) {
            assertThat(rig.attempt(renameOf(rig))).isInstanceOf(DeliveryOutcome.Failed.class);
        }
        assertThat(wasAsked("DELE")).isFalse();
    }

    /** It was called delivered: its rename had been asked for once, and its temporary file was gone. */
    @Test
    void aTemporaryFileThatWasRemovedForANewUploadWasNotRenamed() throws Exception {
        AtomicInteger attempt = new AtomicInteger();
        AtomicInteger there = new AtomicInteger(-1); // the temporary file's size
        serve(verb -> switch (verb) {
            case "SIZE" -> there.get() < 0 || !lastIsOfTheTemporaryFile() ? "550 no such file" : "213 " + there;
            case "STOR" -> {
                there.set(attempt.get() == 2 ? -1 : 10);
                yield attempt.get() == 2 ? "425 not now" : transfer(0);
            }
            case "DELE" -> {
                there.set(-1);
                yield "250 gone";
            }
            case "RNFR" -> there.get() < 0 ? "550 no such file" : "350 to where?";
            case "RNTO" -> attempt.get() == 1 ? "451 not now" : "250 renamed";
            default -> usual(verb);
        });
        try (TargetRig rig = rig()) {
            VerifiedObject object = rig.object("x", 10);
            attempt.set(1);
            assertThat(rig.attempt(object)).isInstanceOf(DeliveryOutcome.Later.class);
            attempt.set(2);
            there.set(11); // as a crash of the server may leave it: longer than it should be
            assertThat(rig.attempt(rig.again(object))).isInstanceOf(DeliveryOutcome.Later.class);
            attempt.set(3);
            commands.clear();
            assertThat(rig.attempt(rig.again(object))).isInstanceOf(DeliveryOutcome.Delivered.class);
        }
        assertThat(wasAsked("STOR")).isTrue();
        assertThat(wasAsked("RNTO /in/x")).isTrue();
    }

    private boolean lastIsOfTheTemporaryFile() {
        return commands.get(commands.size() - 1).contains("/.hawser-");
    }

    /** Otherwise the next attempt takes an operation for done that was never asked for. */
    @Test
    void operationMayBeDoneOnlyAfterItsCommandWithoutAReply() throws Exception {
        AtomicReference<String> rename = new AtomicReference<>("");
        serve(verb -> switch (verb) {
            case "PASS" -> rename.get().isEmpty() ? "530 no" : usual(verb);
            case "RNFR" -> "350 to where?";
            case "RNTO", "DELE" -> rename.get().equals("none") ? hangUp() : rename.get();
            default -> usual(verb);
        });
        for (TransferKind kind : List.of(TransferKind.RENAME, TransferKind.DELETE)) {
            rename.set("");
            assertThat(mayBeDone(kind, false)).isFalse(); // no login
            assertThat(mayBeDone(kind, true)).isTrue();
            rename.set("450 not now");
            assertThat(mayBeDone(kind, false)).isFalse();
            assertThat(mayBeDone(kind, true)).isEqualTo(kind == TransferKind.DELETE);
            rename.set("421 closing");
            assertThat(mayBeDone(kind, false)).isTrue();
            rename.set("none");
            assertThat(mayBeDone(kind, false)).isTrue();
        }
    }

    private String hangUp() {
        for (Socket socket : List.copyOf(sockets)) {
            try {
                socket.close();
            } catch (IOException e) {
                commands.add("(not closed)");
            }
        }
        return "";
    }

    private boolean mayBeDone(TransferKind kind, boolean before) throws Exception {
        try (TargetRig rig = rig()) {
            DeliveryOutcome result = rig.attempt(rig.operation(kind, "x", Map.of(Attributes.RENAMED_TO, "y"), before));
            assertThat(result).isInstanceOf(DeliveryOutcome.Later.class);
            return ((DeliveryOutcome.Later) result).mayBeDone();
        }
    }

    /** The far server does not have it, and nobody has asked for the rename. */
    @Test
    void renameOfWhatIsMissingFailsUnlessItMayBeDone() throws Exception {
        serve(verb -> verb.equals("RNFR") ? "550 no such file" : usual(verb));
        try (TargetRig rig = rig()) {
            VerifiedObject done = rig.operation(TransferKind.RENAME, "x", Map.of(Attributes.RENAMED_TO, "y"), true);
            VerifiedObject tried = new VerifiedObject(done.manifest(), done.commit(), done.file(), true, false);
            assertThat(rig.attempt(tried)).isInstanceOf(DeliveryOutcome.Failed.class);
            assertThat(rig.attempt(done)).isInstanceOf(DeliveryOutcome.Delivered.class);
        }
    }

    @Test
    void beforeTheRenameNothingIsSaidOfAVisibleFile() throws Exception {
        serve(this::usual);
        try (TargetRig rig = rig()) {
            assertThat(attempt(rig, "x", 10).reason()).doesNotContain("already");
        }
    }

    /** Sends so many zeros; what comes is taken by the kernel. */
    private String transfer(int bytes) {
        try {
            Socket socket = data.accept();
            sockets.add(socket);
            if (bytes > 0) {
                socket.getOutputStream().write(new byte[bytes]);
                socket.close();
            }
            return "150 go\r\n226 done";
        } catch (IOException e) {
            return "425 " + e;
        }
    }

    @Test
    void aFileThatWasChangedAfterItWasComparedWithTheDigestIsLeftAlone() throws Exception {
        DeliveryOutcome result = appended(10, 10, true, "213 20200101000000", "213 20200101000001");

        assertThat(result).isInstanceOf(DeliveryOutcome.Failed.class);
        assertThat(wasAsked("RNTO")).isFalse();
        assertThat(wasAsked("DELE /in/.hawser-")).isTrue();
    }

    @Test
    void aFileThatIsStillTheOneOfTheDigestIsPatched() throws Exception {
        assertThat(appended(10, 10, true, "213 20200101000000", "213 20200101000000"))
                .isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(wasAsked("RNTO /in/x")).isTrue();
    }

    @Test
    void whereNoSizesAreToldAnEmptyBaseIsRefused() throws Exception {
        TargetRig.assertEnded(
                appended(0, 5, false, "550 no", "550 no"), DeliveryOutcome.Failed.class, "gives no sizes");
    }

    @Test
    void whereNoSizesAreToldALongerFileIsAnotherFile() throws Exception {
        TargetRig.assertEnded(appended(10, 11, false, "550 no", "550 no"), DeliveryOutcome.Failed.class, "has changed");
        assertThat(wasAsked("STOR")).isFalse();
    }
}
