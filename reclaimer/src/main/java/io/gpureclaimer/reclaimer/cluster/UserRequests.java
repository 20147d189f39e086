package io.gpureclaimer.reclaimer.cluster;

/** Requests to the API server with the credentials of a user. */
public interface UserRequests {

  /**
   * Asks for the restoration of an owner: sets {@code spec.restore} of its record.
   *
   * @param authorization value of the header of that name, as the person sent it
   */
  UserReply requestRestore(String namespace, String record, String authorization);

  /**
   * Answer of the API server, or why there is none.
   *
   * @param code status of HTTP; 502 if the API server does not respond
   * @param message for the person; empty if the request was accepted
   */
  record UserReply(int code, String message) {}
}
