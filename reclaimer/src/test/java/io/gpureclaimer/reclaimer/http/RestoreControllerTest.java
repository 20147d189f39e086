package io.gpureclaimer.reclaimer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.UserRequests.UserReply;
import io.micronaut.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestoreControllerTest {
  private final List<String> asked = new ArrayList<>();
  private UserReply answer = new UserReply(200, "");
  private final RestoreController controller =
      new RestoreController(
          (namespace, record, authorization) -> {
            asked.add(namespace + " " + record + " " + authorization);
            return answer;
          });

  @Test
  void asksWithTheTokenOfThePerson() {
    HttpResponse<byte[]> response = controller.restore("ml", "deployment-web-1", "Bearer theirs");

    assertThat(response.code()).isEqualTo(202);
    assertThat(asked).containsExactly("ml deployment-web-1 Bearer theirs");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "Bearer", "Bearer ", "Basic dTpw", "Bearer a b", "Bearer a\nX: y"})
  void refusesARequestWithoutAToken(String authorization) {
    HttpResponse<byte[]> response = controller.restore("ml", "a", authorization);

    assertThat(response.code()).isEqualTo(401);
    assertThat(response.header("WWW-Authenticate")).isEqualTo("Bearer");
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"..,a", "ml,../../secrets", "ml,a?dryRun=All", "ML,a", "ml,a/b", "'',a", "ml,a%2Fb"})
  void refusesWhatIsNoName(String namespace, String name) {
    assertThat(controller.restore(namespace, name, "Bearer theirs").code()).isEqualTo(400);
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"401, 401", "403, 403", "404, 404", "409, 409", "500, 502", "302, 502", "502, 502"})
  void passesTheRefusalOn(int code, int expected) {
    answer = new UserReply(code, "no");

    HttpResponse<byte[]> response = controller.restore("ml", "a", "Bearer theirs");

    assertThat(response.code()).isEqualTo(expected);
    assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("\"detail\" : \"no\"");
  }
}
