package io.gpureclaimer.exporter.web;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemdSocketTest {

  @Test
  void takesOneSocketThatIsMeantForThisProcess() {
    assertThatCode(() -> SystemdSocket.requireOne(Map.of("LISTEN_FDS", "1"), 7))
        .doesNotThrowAnyException();
    assertThatCode(() -> SystemdSocket.requireOne(Map.of("LISTEN_FDS", "1", "LISTEN_PID", "7"), 7))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesWhatIsNotPassedToIt() {
    refuses(Map.of(), "LISTEN_FDS is not set");
    refuses(Map.of("LISTEN_FDS", "2"), "LISTEN_FDS is 2, not 1");
    refuses(Map.of("LISTEN_FDS", "0"), "LISTEN_FDS is 0, not 1");
    refuses(
        Map.of("LISTEN_FDS", "1", "LISTEN_PID", "8"), "it was passed to process 8, and this is 7");
  }

  private static void refuses(Map<String, String> environment, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SystemdSocket.adopt(environment, 7))
        .withMessage("web.systemd-socket needs one listening TCP socket from systemd, but " + why);
  }
}
