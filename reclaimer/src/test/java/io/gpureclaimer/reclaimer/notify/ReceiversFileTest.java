package io.gpureclaimer.reclaimer.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceiversFileTest {
  @TempDir Path folder;

  @Test
  void readsEverything() {
    assertThat(
            read(
                """
                receivers:
                  - name: platform
                    kind: slack
                    url-file: /etc/notify/slack
                    ca-file: /etc/notify/ca.pem
                  - name: ml-team
                    url: https://hooks.example.com/gpu?team=ml
                    headers-file: /etc/notify/headers
                    always: false
                """))
        .containsExactly(
            new Receiver(
                "platform",
                Receiver.PayloadFormat.SLACK,
                new Receiver.Address.InFile(Path.of("/etc/notify/slack")),
                Optional.empty(),
                Optional.of(Path.of("/etc/notify/ca.pem")),
                true),
            new Receiver(
                "ml-team",
                Receiver.PayloadFormat.GENERIC,
                new Receiver.Address.Open(URI.create("https://hooks.example.com/gpu?team=ml")),
                Optional.of(Path.of("/etc/notify/headers")),
                Optional.empty(),
                false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | ' must have the key receivers, is empty'",
        "'[1' | ' is neither YAML nor JSON'",
        "'receivers: 3' | ':1:12: receivers must be a list'",
        "'senders: 3' | ':1:1: senders is no known key; known are receivers'",
        "'receivers: [3]' | ':1:13: receivers[0] must be a mapping'",
        "'receivers: [\"http://x/secret\"]' | ':1:13: receivers[0] must be a mapping'",
        "'receivers: [{url: \"http://x\"}]' | ':1:13: receivers[0].name must be given'",
        "'receivers: [{name: A}]' | ':1:20: receivers[0].name must be a name of a-z, 0-9 and -, was"
            + " \"A\"'",
        "'receivers: [{name: a}]' | ':1:13: receivers[0]: receiver a needs exactly one of url and"
            + " url-file'",
        "'receivers: [{name: a, url: \"http://x\", url-file: /x}]' | ':1:13: receivers[0]: receiver"
            + " a needs exactly one of url and url-file'",
        "'receivers: [{name: a, url: \"http://me:pw@x\"}]' | ':1:28: receivers[0].url must begin"
            + " with http:// or https://, name a host and hold no user'",
        "'receivers: [{name: a, url: \"ftp://x\"}]' | ':1:28: receivers[0].url must begin with"
            + " http:// or https://, name a host and hold no user'",
        "'receivers: [{name: a, url: {x: \"http://x/secret\"}}]' | ':1:28: receivers[0].url must"
            + " be a text'",
        "'receivers: [{name: a, kind: mail, url: \"http://x\"}]' | ':1:29: receivers[0].kind must"
            + " be generic, slack or alertmanager, was \"mail\"'",
        "'receivers: [{name: a, allways: true, url: \"http://x\"}]' | ':1:23: receivers[0].allways"
            + " is no known key; did you mean always?'",
        "'receivers: [{name: a, always: yep, url: \"http://x\"}]' | ':1:31: receivers[0].always"
            + " must be true or false, was \"yep\"'",
        "'receivers: [{name: a, url: \"http://x\"}, {name: a, url: \"http://x\"}]' | ':1:41:"
            + " receivers[1] is the second receiver of the name a'"
      })
  void saysWhatIsWrong_inOneLine(String text, String problem) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("notify.file " + folder.resolve("notify.yaml") + problem);
  }

  @Test
  void saysThatItCannotBeRead() {
    assertThatThrownBy(() -> ReceiversFile.read(folder.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("notify.file " + folder.resolve("none") + " cannot be read");
  }

  private List<Receiver> read(String text) {
    try {
      return ReceiversFile.read(Files.writeString(folder.resolve("notify.yaml"), text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
