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
                Receiver.Kind.SLACK,
                new Receiver.Address.InFile(Path.of("/etc/notify/slack")),
                Optional.empty(),
                Optional.of(Path.of("/etc/notify/ca.pem")),
                true),
            new Receiver(
                "ml-team",
                Receiver.Kind.GENERIC,
                new Receiver.Address.Open(URI.create("https://hooks.example.com/gpu?team=ml")),
                Optional.of(Path.of("/etc/notify/headers")),
                Optional.empty(),
                false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | expected one key, receivers, with a list",
        "'[1' | it is no YAML",
        "'receivers: 3' | expected one key, receivers, with a list",
        "'receivers: [3]' | expected each receiver to be a map",
        "'receivers: [{name: A}]' | each receiver needs a name of a-z, 0-9 and -, one has \"A\"",
        "'receivers: [{name: a}]' | receiver a needs exactly one of url and url-file",
        "'receivers: [{name: a, url: \"http://x\", url-file: /x}]' | receiver a needs exactly one"
            + " of url and url-file",
        "'receivers: [{name: a, url: \"http://me:pw@x\"}]' | the url of receiver a must begin with"
            + " http:// or https://, name a host and hold no user",
        "'receivers: [{name: a, url: \"ftp://x\"}]' | the url of receiver a must begin with http://"
            + " or https://, name a host and hold no user",
        "'receivers: [{name: a, kind: mail, url: \"http://x\"}]' | the kind of receiver a must be"
            + " generic, slack or alertmanager, was mail",
        "'receivers: [{name: a, allways: true, url: \"http://x\"}]' | receiver a has allways, known"
            + " are [always, ca-file, headers-file, kind, name, url, url-file]",
        "'receivers: [{name: a, always: yep, url: \"http://x\"}]' | always of receiver a must be"
            + " true or false, was yep",
        "'receivers: [{name: a, url: \"http://x\"}, {name: a, url: \"http://x\"}]' | two receivers"
            + " of the name a"
      })
  void saysWhatIsWrong_inOneLine(String text, String problem) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("notify.file " + folder.resolve("notify.yaml") + ": " + problem);
  }

  @Test
  void saysThatItCannotBeRead() {
    assertThatThrownBy(() -> ReceiversFile.read(folder.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("notify.file " + folder.resolve("none") + ": it cannot be read");
  }

  private List<Receiver> read(String text) {
    try {
      return ReceiversFile.read(Files.writeString(folder.resolve("notify.yaml"), text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
