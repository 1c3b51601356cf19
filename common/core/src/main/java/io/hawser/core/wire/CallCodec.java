package io.hawser.core.wire;

import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFileCodec;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Encodes and decodes remote calls: their control messages, and the header before an answer's payload. */
final class CallCodec {
    static final int ASK = 30;
    static final int ANSWERED = 31;
    static final int CALL_REFUSED = 32;
    static final int CANCEL_CALL = 33;

    private static final int STAT = 1;
    private static final int LIST = 2;
    private static final int READ = 3;
    private static final int CHECKSUM = 4;

    private static final int OF_FILE = 1;
    private static final int OF_PAGE = 2;
    private static final int OF_BLOCK = 3;
    private static final int OF_CHECKSUM = 4;

    private CallCodec() {}

    static void encode(ByteBuf out, SessionMessage.OfCall message) {
        if (message instanceof SessionMessage.Ask ask) {
            head(out, ASK, message);
            WireWriter.string(out, ask.topic().name());
            question(out, ask.question());
        } else if (message instanceof SessionMessage.Answered answered) {
            head(out, ANSWERED, message);
            answer(out, answered.answer());
        } else if (message instanceof SessionMessage.CallRefused refused) {
            head(out, CALL_REFUSED, message);
            SessionCodec.refusal(out, refused.refusal());
        } else {
            head(out, CANCEL_CALL, message);
        }
    }

    private static void head(ByteBuf out, int kind, SessionMessage.OfCall message) {
        SessionCodec.head(out, kind, message.hop());
        out.writeLong(message.call());
    }

    private static void question(ByteBuf out, Question question) {
        if (question instanceof Question.Stat) {
            out.writeByte(STAT);
            WireWriter.string(out, question.name());
        } else if (question instanceof Question.ListPage list) {
            out.writeByte(LIST);
            WireWriter.string(out, list.name());
            WireWriter.string(out, list.after());
        } else if (question instanceof Question.Read read) {
            out.writeByte(READ);
            WireWriter.string(out, read.name());
            WireWriter.string(out, read.fingerprint());
            out.writeLong(read.offset()).writeInt(read.length());
        } else if (question instanceof Question.Checksum checksum) {
            out.writeByte(CHECKSUM);
            WireWriter.string(out, checksum.name());
            out.writeByte(checksum.algorithm().code());
            out.writeLong(checksum.offset()).writeLong(checksum.length());
        }
    }

    static void answer(ByteBuf out, Answer answer) {
        if (answer instanceof Answer.OfFile of) {
            out.writeByte(OF_FILE);
            file(out, of.file());
        } else if (answer instanceof Answer.OfPage page) {
            out.writeByte(OF_PAGE);
            WireWriter.string(out, page.next());
        } else if (answer instanceof Answer.OfBlock block) {
            out.writeByte(OF_BLOCK);
            file(out, block.file());
        } else if (answer instanceof Answer.OfChecksum checksum) {
            out.writeByte(OF_CHECKSUM);
            WireWriter.string(out, checksum.hex());
        }
    }

    private static void file(ByteBuf out, RemoteFile file) {
        ByteBuffer bytes = ByteBuffer.allocate(RemoteFileCodec.MAX_LENGTH_BYTES);
        RemoteFileCodec.put(bytes, file);
        out.writeBytes(bytes.flip());
    }

    static SessionMessage.OfCall decode(int kind, ByteBuf in) throws MalformedMessageException {
        long call = in.readLong();
        return switch (kind) {
            case ASK ->
                new SessionMessage.Ask(
                        call, new Topic(WireReader.string(in, Topic.MAX_LENGTH_BYTES)), readQuestion(in));
            case ANSWERED -> new SessionMessage.Answered(call, readAnswer(in));
            case CALL_REFUSED -> new SessionMessage.CallRefused(call, SessionCodec.readRefusal(in));
            case CANCEL_CALL -> new SessionMessage.CancelCall(call);
            default -> throw new MalformedMessageException("a call's message of unknown kind " + kind);
        };
    }

    private static Question readQuestion(ByteBuf in) throws MalformedMessageException {
        int kind = in.readUnsignedByte();
        String name = WireReader.string(in, Question.MAX_NAME_LENGTH_BYTES);
        return switch (kind) {
            case STAT -> new Question.Stat(name);
            case LIST -> new Question.ListPage(name, WireReader.string(in, RemoteFileCodec.MAX_NAME_LENGTH_BYTES));
            case READ ->
                new Question.Read(
                        name, WireReader.string(in, RemoteFile.MAX_FINGERPRINT_LENGTH), in.readLong(), in.readInt());
            case CHECKSUM ->
                new Question.Checksum(
                        name, ChecksumAlgorithm.ofCode(in.readUnsignedByte()), in.readLong(), in.readLong());
            default -> throw new MalformedMessageException("a question of unknown kind " + kind);
        };
    }

    static Answer readAnswer(ByteBuf in) throws MalformedMessageException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case OF_FILE -> new Answer.OfFile(readFile(in));
            case OF_PAGE -> new Answer.OfPage(WireReader.string(in, RemoteFileCodec.MAX_NAME_LENGTH_BYTES));
            case OF_BLOCK -> new Answer.OfBlock(readFile(in));
            case OF_CHECKSUM -> new Answer.OfChecksum(WireReader.string(in, Answer.OfChecksum.MAX_LENGTH));
            default -> throw new MalformedMessageException("an answer of unknown kind " + kind);
        };
    }

    private static RemoteFile readFile(ByteBuf in) {
        ByteBuffer bytes = in.nioBuffer();
        RemoteFile file = RemoteFileCodec.get(bytes);
        in.skipBytes(bytes.position());
        return file;
    }
}
