//! What must hold for any conversation.
