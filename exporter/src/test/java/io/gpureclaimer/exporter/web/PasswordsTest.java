package io.gpureclaimer.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.gpureclaimer.exporter.web.Passwords.CheckResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PasswordsTest {
  private final AtomicReference<Map<String, String>> hashes =
      new AtomicReference<>(Map.of("alice", hash("secret"), "bob", hash("hidden")));
  private final List<Runnable> waiting = new ArrayList<>();
  private final Passwords passwords = new Passwords(hashes::get, waiting::add);

  @Test
  void areRequiredOnlyIfThereAreUsers() {
    assertThat(passwords.areRequired()).isTrue();
    hashes.set(Map.of());
    assertThat(passwords.areRequired()).isFalse();
  }

  @Test
  void knowsRightFromWrong() {
    assertThat(verdict("alice", "secret")).isEqualTo(CheckResult.RIGHT);
    assertThat(verdict("alice", "hidden")).isEqualTo(CheckResult.WRONG);
    assertThat(verdict("bob", "hidden")).isEqualTo(CheckResult.RIGHT);
    assertThat(verdict("", "")).isEqualTo(CheckResult.WRONG);
  }

  @Test
  void letsNoStrangerIn_whateverPasswordTheyKnow() {
    assertThat(verdict("carol", "secret")).isEqualTo(CheckResult.WRONG);
    assertThat(verdict("carol", "hidden")).isEqualTo(CheckResult.WRONG);
  }

  @Test
  void computesAHashOnce_andOnlyForWhatWasRight() {
    verdict("alice", "secret");
    assertThat(passwords.check("alice", "secret").getNow(null)).isEqualTo(CheckResult.RIGHT);
    assertThat(waiting).isEmpty();

    verdict("alice", "wrong");
    assertThat(passwords.check("alice", "wrong")).isNotDone();
  }

  @Test
  void forgetsAPassword_whenItsHashChanges() {
    verdict("alice", "secret");
    hashes.set(Map.of("alice", hash("other")));

    assertThat(verdict("alice", "secret")).isEqualTo(CheckResult.WRONG);
    assertThat(verdict("alice", "other")).isEqualTo(CheckResult.RIGHT);
  }

  @Test
  void takesAnyPassword_whenTheLastUserHasJustBeenRemoved() {
    hashes.set(Map.of());

    assertThat(passwords.check("alice", "secret").getNow(null)).isEqualTo(CheckResult.RIGHT);
  }

  @Test
  void isBusy_whenTooManyWait() {
    var busy =
        new Passwords(
            hashes::get,
            task -> {
              throw new RejectedExecutionException();
            });

    assertThat(busy.check("alice", "secret").getNow(null)).isEqualTo(CheckResult.BUSY);
  }

  @Test
  void takesThePrefixesThatToolsWrite() {
    for (var version :
        List.of(BCrypt.Version.VERSION_2A, BCrypt.Version.VERSION_2B, BCrypt.Version.VERSION_2Y)) {
      hashes.set(Map.of("alice", BCrypt.with(version).hashToString(4, "secret".toCharArray())));
      assertThat(verdict("alice", "secret")).as(version.toString()).isEqualTo(CheckResult.RIGHT);
    }
  }

  private CheckResult verdict(String user, String password) {
    var verdict = passwords.check(user, password);
    waiting.forEach(Runnable::run);
    waiting.clear();
    return verdict.join();
  }

  private static String hash(String password) {
    return BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, password.toCharArray());
  }
}
