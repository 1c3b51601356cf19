package io.hawser.core.wire;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFileCodec;
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

    static void encode(FieldWriter out, SessionMessage.OfCall message) {
        if (message instanceof SessionMessage.Ask ask) {
            head(out, ASK, message);
            out.string(ask.topic().name());
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

    private static void head(FieldWriter out, int kind, SessionMessage.OfCall message) {
        SessionCodec.head(out, kind, message.hop()).i64(message.call());
    }

    private static void question(FieldWriter out, Question question) {
        if (question instanceof Question.Stat) {
            out.u8(STAT);
            out.string(question.name());
        } else if (question instanceof Question.ListPage list) {
            out.u8(LIST);
            out.string(list.name());
            out.string(list.after());
        } else if (question instanceof Question.Read read) {
            out.u8(READ);
            out.string(read.name());
            out.string(read.fingerprint());
            out.i64(read.offset()).i32(read.length());
        } else if (question instanceof Question.Checksum checksum) {
            out.u8(CHECKSUM);
            out.string(checksum.name());
            out.u8(checksum.algorithm().code());
            out.i64(checksum.offset()).i64(checksum.length());
        }
    }

    static void answer(FieldWriter out, Answer answer) {
        if (answer instanceof Answer.OfFile of) {
            out.u8(OF_FILE);
            file(out, of.file());
        } else if (answer instanceof Answer.OfPage page) {
            out.u8(OF_PAGE);
            out.string(page.next());
        } else if (answer instanceof Answer.OfBlock block) {
            out.u8(OF_BLOCK);
            file(out, block.file());
        } else if (answer instanceof Answer.OfChecksum checksum) {
            out.u8(OF_CHECKSUM);
            out.string(checksum.hex());
        }
    }

    private static void file(FieldWriter out, RemoteFile file) {
        ByteBuffer bytes = ByteBuffer.allocate(RemoteFileCodec.MAX_LENGTH_BYTES);
        RemoteFileCodec.put(bytes, file);
        out.raw(bytes.flip());
    }

    static SessionMessage.OfCall decode(int kind, FieldReader in) throws MalformedMessageException {
        long call = in.i64();
        return switch (kind) {
            case ASK -> new SessionMessage.Ask(call, new Topic(in.string(Topic.MAX_LENGTH_BYTES)), readQuestion(in));
            case ANSWERED -> new SessionMessage.Answered(call, readAnswer(in));
            case CALL_REFUSED -> new SessionMessage.CallRefused(call, SessionCodec.readRefusal(in));
            case CANCEL_CALL -> new SessionMessage.CancelCall(call);
            default -> throw new MalformedMessageException("a call's message of unknown kind " + kind);
        };
    }

    private static Question readQuestion(FieldReader in) throws MalformedMessageException {
        int kind = in.u8();
        String name = in.string(Question.MAX_NAME_LENGTH_BYTES);
        return switch (kind) {
            case STAT -> new Question.Stat(name);
            case LIST -> new Question.ListPage(name, in.string(RemoteFileCodec.MAX_NAME_LENGTH_BYTES));
            case READ -> new Question.Read(name, in.string(RemoteFile.MAX_FINGERPRINT_LENGTH), in.i64(), in.i32());
            case CHECKSUM -> new Question.Checksum(name, ChecksumAlgorithm.ofCode(in.u8()), in.i64(), in.i64());
            default -> throw new MalformedMessageException("a question of unknown kind " + kind);
        };
    }

    static Answer readAnswer(FieldReader in) throws MalformedMessageException {
        int kind = in.u8();
        return switch (kind) {
            case OF_FILE -> new Answer.OfFile(readFile(in));
            case OF_PAGE -> new Answer.OfPage(in.string(RemoteFileCodec.MAX_NAME_LENGTH_BYTES));
            case OF_BLOCK -> new Answer.OfBlock(readFile(in));
            case OF_CHECKSUM -> new Answer.OfChecksum(in.string(Answer.OfChecksum.MAX_LENGTH));
            default -> throw new MalformedMessageException("an answer of unknown kind " + kind);
        };
    }

    private static RemoteFile readFile(FieldReader in) {
        return in.read(RemoteFileCodec::get);
    }
}
