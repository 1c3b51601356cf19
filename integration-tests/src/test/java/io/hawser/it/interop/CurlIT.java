package io.hawser.it.interop;

import org.junit.jupiter.api.Test;

/** curl. */
class CurlIT extends Recipes {
    @Test
    void c1UploadAndDownload() throws Exception {
        recipe("curl", "curl -sS -T f10m $FTP/u; same f10m $FAR/u; curl -sS -o o1 $FTP/u; cmp f10m o1");
    }

    @Test
    void c2ResumesADownload() throws Exception {
        recipe("curl", "head -c 3000000 f10m > o2; curl -sS -C - -o o2 $FTP/far/f10m; cmp f10m o2");
    }

    @Test
    void c3TakesARangeAndGoesOnWithTheNextFile() throws Exception {
        recipe(
                "curl",
                "curl -sS -r 100-299 -o o3 $FTP/far/f10m --next -sS -o o3b $FTP/far/f1k;"
                        + " dd if=f10m of=part bs=1 skip=100 count=200 status=none; cmp o3 part; cmp o3b f1k");
    }

    @Test
    void c4AppendsToAFileOfTheFarEnd() throws Exception {
        recipe("curl", "head -c 500 f1k > $FAR/half; curl -sS -C 500 -T f1k $FTP/half; same f1k $FAR/half");
    }

    @Test
    void c5MakesDirectories() throws Exception {
        recipe("curl", "curl -sS --ftp-create-dirs -T f1k $FTP/x/y/z/f; same f1k $FAR/x/y/z/f");
    }

    @Test
    void c6PassiveAndActive() throws Exception {
        recipe(
                "curl",
                "curl -sS --disable-epsv -T f10m $FTP/pasv; same f10m $FAR/pasv;"
                        + " curl -sS -P - -T f10m $FTP/active; same f10m $FAR/active;"
                        + " curl -sS --disable-epsv -o o6 $FTP/far/f10m; cmp f10m o6;"
                        + " curl -sS -P - -o o6b $FTP/far/f10m; cmp f10m o6b;"
                        + " curl -sS --disable-eprt -P - -o o6c $FTP/far/f10m; cmp f10m o6c");
    }

    @Test
    void c7HeadAndListing() throws Exception {
        recipe(
                "curl",
                "mkdir $FAR/c7; cp f1k $FAR/c7/f1k; touch -d '2021-02-03 04:05:06 UTC' $FAR/c7/f1k; curl -sS -I $FTP/c7/f1k > head;"
                        + " grep -q 'Content-Length: 1000' head;"
                        + " grep -q 'Last-Modified: Wed, 03 Feb 2021 04:05:06 GMT' head; curl -sS $FTP/far/ > listed; grep -q f10m listed");
    }

    @Test
    void missingFilesAreMissing() throws Exception {
        recipe("curl", "refused curl -sS -o o8 $FTP/far/nothing 2> err; grep -qiE '550|not exist|find' err");
    }

    @Test
    void oddNamesAndAnEmptyFileGoBothWays() throws Exception {
        recipe("curl", """
                curl -sS -T f1k "$FTP/odd%20name%20%C3%A9%E2%82%AC"; same f1k "$FAR/odd name é€"
                curl -sS -o o9 "$FTP/odd%20name%20%C3%A9%E2%82%AC"; cmp f1k o9
                curl -sS -T empty $FTP/nothing; same empty $FAR/nothing
                curl -sS -o o10 $FTP/nothing; cmp empty o10
                """);
    }

    @Test
    void quotedCommandsRenameAndDelete() throws Exception {
        recipe("curl", """
                curl -sS -T f1k $FTP/q1 -Q '-RNFR q1' -Q '-RNTO q2'; same f1k $FAR/q2; gone $FAR/q1
                curl -sS $FTP/ -Q 'DELE q2' > /dev/null; gone $FAR/q2
                """);
    }

    @Test
    void appendsRightBehindAnUpload() throws Exception {
        recipe("curl", """
                curl -sS -T f1k $FTP/twice; curl -sS -a -T f1k $FTP/twice; cat f1k f1k > f2k; same f2k $FAR/twice
                head -c 500 f1k > $FAR/rest; curl -sS -C - -T f1k $FTP/rest; same f1k $FAR/rest
                """);
    }

    @Test
    void severalFilesOverOneConnectionAndBareNames() throws Exception {
        recipe("curl", """
                curl -sS -T '{f1k,f10m}' --ftp-create-dirs $FTP/many/; same f1k $FAR/many/f1k; same f10m $FAR/many/f10m
                curl -sS -o 'many-#1' "$FTP/many/{f1k,f10m}"; cmp f1k many-f1k; cmp f10m many-f10m
                curl -sS -l $FTP/far/ | sort > names; diff names <(printf '%s\n' empty f10m f1k f64m tree)
                curl -sS -o absolute $FTP//far/f1k; cmp f1k absolute
                curl -sS --ftp-method nocwd -T f1k $FTP/one/two/f; same f1k $FAR/one/two/f
                """);
    }
}
