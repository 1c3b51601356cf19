package io.hawser.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SmallItem;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Extension;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.testkit.Golden;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pins the bytes of the hop protocol's version 2: every message, every packet header, the greeting. */
class WireGoldenTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final Topic TOPIC = new Topic("site-b");
    private static final byte[] LEAF = leaf();
    private static final Commit COMMIT = new Commit(1_048_581, 2, new TransferDigest(1 << 20, LEAF));
    /** One attribute: their order is not part of the format. */
    private static final Manifest MANIFEST = new Manifest(
            KEY,
            7,
            TOPIC,
            TransferKind.FILE,
            "in/\u00fc",
            List.of("in/\u00fc", "x"),
            -1,
            1 << 20,
            Map.of("mtime", "5"),
            List.of(new Extension(300, false, new byte[] {1, 2})));

    private static final Refusal REFUSAL = new Refusal(ErrorCode.NO_SPACE, "full");
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, 5, 6, 0644, "v");
    private static final int SMALL_PAYLOAD = 3;

    private static byte[] leaf() {
        byte[] leaf = new byte[32];
        Arrays.fill(leaf, (byte) 0xAB);
        return leaf;
    }

    private static Map<String, SessionMessage> messages() {
        Map<String, SessionMessage> all = new LinkedHashMap<>();
        hopMessages().forEach((name, message) -> all.put(name, new SessionMessage.OfHop(9, message)));
        all.put(
                "SUBSCRIBE",
                new SessionMessage.Subscribe(9, "sub", TOPIC, StartAt.EARLIEST, AckLevel.CONSUMED, ServingMode.SERVES));
        all.put("SUBSCRIBE_ON_TERMS", subscribe(new SubscriptionTerms(3_600_000, 5_000_000, ReplayFilter.ALL)));
        all.put("SUBSCRIBE_AS_MEMBER", subscribe(SubscriptionTerms.NONE.withMember(Optional.of("w1"))));
        all.put("SUBSCRIBED", new SessionMessage.Subscribed(9));
        all.put("UNSUBSCRIBE", new SessionMessage.Unsubscribe(9));
        all.put("NOT_SERVING", new SessionMessage.NotServing(9, REFUSAL));
        all.put("NOT_SUBSCRIBED", new SessionMessage.NotSubscribed(9, REFUSAL));
        all.put("LEAVE", new SessionMessage.Leave(9));
        all.put("ASK_STAT", new SessionMessage.Ask(7, TOPIC, new Question.Stat("f")));
        all.put("ASK_LIST", new SessionMessage.Ask(7, TOPIC, new Question.ListPage("d", "a")));
        all.put("ASK_READ", new SessionMessage.Ask(7, TOPIC, new Question.Read("f", "v", 258, 3)));
        all.put(
                "ASK_CHECKSUM",
                new SessionMessage.Ask(7, TOPIC, new Question.Checksum("f", ChecksumAlgorithm.CRC32, 1, -1)));
        all.put("ANSWERED_FILE", new SessionMessage.Answered(7, new Answer.OfFile(FILE)));
        all.put("ANSWERED_CHECKSUM", new SessionMessage.Answered(7, new Answer.OfChecksum("0a")));
        all.put("CALL_REFUSED", new SessionMessage.CallRefused(7, REFUSAL));
        all.put("CANCEL_CALL", new SessionMessage.CancelCall(7));
        return all;
    }

    private static SessionMessage subscribe(SubscriptionTerms terms) {
        return new SessionMessage.Subscribe(
                9, "sub", TOPIC, StartAt.EARLIEST, AckLevel.CONSUMED, ServingMode.SERVES, terms.toMap());
    }

    private static Map<String, HopMessage> hopMessages() {
        FragmentRanges ranges = FragmentRanges.of(0, 3);
        ranges.add(5, 6);
        Map<String, HopMessage> all = new LinkedHashMap<>();
        all.put("OPEN", new HopMessage.Open(MANIFEST, true));
        all.put("RESUME", new HopMessage.Resume(KEY, ranges));
        all.put("ACK", new HopMessage.Ack(KEY, ranges));
        all.put("NACK", new HopMessage.Nack(KEY, 4));
        all.put("COMMIT", new HopMessage.CommitTransfer(KEY, COMMIT));
        all.put("COMMITTED", new HopMessage.Committed(KEY, List.of("one", "two"), 17));
        all.put("RECEIPT", new HopMessage.ReceiptNotice(new Receipt(KEY, "one", ReceiptStatus.FAILED, "why", 99)));
        all.put("RECEIPT_ACK", new HopMessage.ReceiptAck(KEY, "one", ReceiptStatus.DELIVERED));
        all.put("CANCEL", new HopMessage.Cancel(KEY, "no more"));
        all.put("CANCELLED", new HopMessage.Cancelled(KEY));
        all.put("REFUSE", new HopMessage.Refuse(KEY, REFUSAL));
        all.put("CREDIT", new HopMessage.Credit(1L << 33));
        all.put("CHECK", new HopMessage.Check(List.of(KEY, KEY)));
        all.put("CHECKED", new HopMessage.Checked(List.of(KEY), List.of()));
        all.put("RECALL", new HopMessage.Recall(KEY, "no more"));
        all.put("ASK_PROGRESS", new HopMessage.AskProgress(List.of(KEY)));
        all.put("PROGRESS", new HopMessage.Progress(List.of(new FarEndProgress(KEY, "one", 258, true))));
        return all;
    }

    private static Map<String, StreamHeader> headers() {
        Commit small = new Commit(SMALL_PAYLOAD, 1, new TransferDigest(1 << 20, LEAF));
        Map<String, StreamHeader> all = new LinkedHashMap<>();
        all.put(
                "FRAGMENT",
                new StreamHeader.OfFragment(
                        9, new PacketHeader(KEY, 4, 16, SMALL_PAYLOAD, 64, 0x01020304, LEAF, true)));
        all.put("SMALL", new StreamHeader.OfSmall(9, List.of(new SmallItem(MANIFEST, small, 0x01020304, LEAF, false))));
        all.put("ANSWER_BLOCK", new StreamHeader.OfAnswer(7, new Answer.OfBlock(FILE), 0x01020304));
        all.put("ANSWER_PAGE", new StreamHeader.OfAnswer(7, new Answer.OfPage("f"), -1));
        all.put(
                "ANSWER_PART",
                new StreamHeader.OfAnswerPart(
                        new StreamHeader.OfAnswer(7, new Answer.OfBlock(FILE), 0x01020304), 16, 64));
        return all;
    }

    private static byte[] bytes(SessionMessage message) {
        ByteBuf out = Unpooled.buffer();
        SessionCodec.encode(out, message);
        return ByteBufUtil.getBytes(out);
    }

    private static byte[] bytes(StreamHeader header) {
        ByteBuf out = Unpooled.buffer();
        StreamHeaderCodec.encode(out, header);
        return ByteBufUtil.getBytes(out);
    }

    @Test
    void messagesAreWrittenAndReadAsVersionTwoHasThem() throws Exception {
        Map<String, byte[]> written = new LinkedHashMap<>();
        messages().forEach((name, message) -> written.put(name, bytes(message)));
        Golden.assertWritten(WireGoldenTest.class, "v2/hop-messages.txt", written);
        Map<String, byte[]> golden = Golden.read(WireGoldenTest.class, "v2/hop-messages.txt");
        for (Map.Entry<String, SessionMessage> expected : messages().entrySet()) {
            ByteBuf in = Unpooled.wrappedBuffer(golden.get(expected.getKey()));
            assertThat(SessionCodec.decode(in)).isEqualTo(expected.getValue());
        }
    }

    @Test
    void packetHeadersAreWrittenAndReadAsVersionTwoHasThem() throws Exception {
        Map<String, byte[]> written = new LinkedHashMap<>();
        headers().forEach((name, header) -> written.put(name, bytes(header)));
        Golden.assertWritten(WireGoldenTest.class, "v2/hop-packet-headers.txt", written);
        Map<String, byte[]> golden = Golden.read(WireGoldenTest.class, "v2/hop-packet-headers.txt");
        for (Map.Entry<String, StreamHeader> expected : headers().entrySet()) {
            ByteBuf in = Unpooled.wrappedBuffer(golden.get(expected.getKey()));
            assertThat(StreamHeaderCodec.decode(in, SMALL_PAYLOAD))
                    .usingRecursiveComparison()
                    .isEqualTo(expected.getValue());
        }
    }

    @Test
    void theGreetingHasVersionTwoAndAnotherIsRefused() throws Exception {
        Greeting greeting = new Greeting(Greeting.Role.AGENT_B, new NodeId(1, 2), 3);
        Golden.assertWritten(WireGoldenTest.class, "v2/hop-greeting.txt", Map.of("GREETING", greeting.encode()));
        byte[] golden = Golden.read(WireGoldenTest.class, "v2/hop-greeting.txt").get("GREETING");
        assertThat(Greeting.decode(golden)).isEqualTo(greeting);
        golden[0] = 1;
        assertThatThrownBy(() -> Greeting.decode(golden))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("version 1")
                .hasMessageContaining("update the older");
    }

    @Test
    void kindsThatVersionTwoDoesNotHaveAreRefused() {
        for (int kind = 0; kind < 256; kind++) {
            byte[] bytes = {(byte) kind, 0, 0};
            boolean known = messages().values().stream().anyMatch(message -> bytes(message)[0] == bytes[0]);
            if (!known) {
                assertThatThrownBy(() -> SessionCodec.decode(Unpooled.wrappedBuffer(bytes)))
                        .isInstanceOf(MalformedMessageException.class)
                        .hasMessageContaining("unknown kind " + (bytes[0] & 0xFF));
            }
        }
    }
}
